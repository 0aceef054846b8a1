module.exports = {
  wants: ['errorhandler', 'express'],
  about: 'errors as HTML, JSON and text; a status; its log',
  masks: [
    [/at .*?(?=\\n|\n|<|$)/g, 'at'],
    [/(Content-Length|X-Lines): .*/g, '$1'],
    [/(<li> &nbsp; &nbsp;at<\/li>|\\n {4}at)+/g, ''],
  ],
  start({ note }) {
    const express = require('express');
    const errorhandler = require('errorhandler');
    const app = express();
    app.get('/', () => {
      throw Object.assign(new Error('broken <b>'), { status: 418 });
    });
    app.get('/text', (req, res, next) => next('a text'));
    app.use(errorhandler({ log: (error, text, req) => note('logged', [text.split('\n')[0], req.url]) }));
    return app;
  },
  requests: ['GET /text\nAccept: text/plain', 'GET /text\nAccept: application/json', 'GET /text\nAccept: text/html'],
};
