module.exports = {
  wants: ['express-sse', 'express'],
  about: 'the first events, events sent later with names and identifiers',
  start() {
    const express = require('express');
    const SSE = require('express-sse');
    const app = express();
    const sse = new SSE(['first', 'second'], { isSerialized: false, initialEvent: 'start' });
    app.get('/stream', (req, res, next) => {
      sse.init(req, res, next);
      setTimeout(() => sse.send({ n: 1 }, 'named', 7), 20);
      setTimeout(() => res.end(), 50);
    });
    return app;
  },
  requests: ['GET /stream'],
};
