module.exports = {
  wants: ['serve-index', 'express'],
  about: 'a listing as HTML, JSON and text, with icons; a missing folder',
  files: { 'ftp/one.txt': '1', 'ftp/two.html': '22', 'ftp/sub/x': 'x' },
  masks: [
    [/title="[^"]*" data-time/g, ''],
    [/\d+\/\d+\/\d+ \d+:\d+:\d+ (AM|PM)/g, 'TIME'],
  ],
  start({ folder }) {
    const express = require('express');
    const serveIndex = require('serve-index');
    const app = express();
    app.use('/ftp', express.static(`${folder}/ftp`), serveIndex(`${folder}/ftp`, { icons: true }));
    return app;
  },
  requests: [
    'GET /ftp',
    'GET /ftp/\nAccept: application/json',
    'GET /ftp/\nAccept: text/plain',
    'GET /ftp/one.txt',
    'GET /ftp/none/',
    'POST /ftp/',
    'GET /ftp/\nAccept: image/png',
  ],
};
