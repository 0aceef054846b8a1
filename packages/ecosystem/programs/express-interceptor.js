module.exports = {
  wants: ['express-interceptor', 'express'],
  about: 'changed HTML answers, unchanged answers of other types',
  start({ note }) {
    const express = require('express');
    const interceptor = require('express-interceptor');
    const app = express();
    app.use(
      interceptor((req, res) => ({
        isInterceptable: () => /text\/html/.test(res.get('Content-Type')),
        intercept: (body, send) => send(body.replace('</body>', '<p>added</p></body>')),
        afterSend: (before, after) => note('sent', [before, after]),
      })),
    );
    app.get('/', (req, res) => res.send('<body>hello</body>'));
    app.get('/json', (req, res) => res.json({ a: 1 }));
    return app;
  },
  requests: ['GET /', 'GET /json'],
};
