module.exports = {
  wants: ['serve-favicon', 'express'],
  about: 'the icon, also from the cache, other methods',
  files: { 'favicon.ico': 'an icon' },
  start({ folder }) {
    const express = require('express');
    const favicon = require('serve-favicon');
    const app = express();
    app.use(favicon(`${folder}/favicon.ico`));
    app.get('/', (req, res) => res.send('hello'));
    return app;
  },
  requests: [
    'GET /favicon.ico',
    'HEAD /favicon.ico',
    'GET /favicon.ico\nIf-None-Match: W/"7-bKtHTPFmGSiqbVRzTLx2Tg"',
    'OPTIONS /favicon.ico',
    'POST /favicon.ico',
    'GET /',
  ],
};
