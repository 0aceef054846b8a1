module.exports = {
  wants: ['connect-history-api-fallback', 'express'],
  about: 'page paths, files, rewrites, requests for JSON',
  files: { 'public/index.html': 'the page', 'public/a.js': 'js' },
  start({ folder }) {
    const express = require('express');
    const history = require('connect-history-api-fallback');
    const app = express();
    app.use(history({ rewrites: [{ from: /^\/old\/(.*)$/, to: ({ match }) => `/${match[1]}` }] }));
    app.use(express.static(`${folder}/public`));
    return app;
  },
  requests: [
    'GET /users/1\nAccept: text/html',
    'GET /a.js\nAccept: */*',
    'GET /old/a.js\nAccept: text/html',
    'GET /users\nAccept: application/json',
    'POST /users\nAccept: text/html',
    'GET /none.js\nAccept: text/html',
  ],
};
