module.exports = {
  wants: ['connect-livereload', 'express'],
  about: 'a script is added to pages, not to other answers',
  start() {
    const express = require('express');
    const app = express();
    app.use(require('connect-livereload')({ port: 35729 }));
    app.get('/', (req, res) => res.send('<html><body>hello</body></html>'));
    app.get('/json', (req, res) => res.json({ a: '</body>' }));
    app.get('/part', (req, res) => {
      res.type('html').write('<html><body>');
      res.end('parts</body></html>');
    });
    return app;
  },
  requests: [
    'GET /\nAccept: text/html',
    'GET /json\nAccept: application/json',
    'GET /part\nAccept: text/html',
    'GET /',
  ],
};
