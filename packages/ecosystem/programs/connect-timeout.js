module.exports = {
  wants: ['connect-timeout', 'express'],
  about: '503 for a slow handler, not for a quick one; its events',
  start({ note }) {
    const express = require('express');
    const timeout = require('connect-timeout');
    const app = express();
    app.use(timeout('100ms'));
    app.use((req, res, next) => {
      req.on('timeout', (time) => note('timeout', time));
      next();
    });
    app.get('/quick', (req, res) => res.send(String(req.timedout)));
    app.get('/slow', (req, res) => setTimeout(() => req.timedout || res.send('late'), 300));
    app.use((error, req, res, next) => res.status(error.status).json({ code: error.code, timeout: error.timeout }));
    return app;
  },
  requests: ['GET /quick', 'GET /slow', 'GET /quick'],
};
