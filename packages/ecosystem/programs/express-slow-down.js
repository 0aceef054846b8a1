module.exports = {
  wants: ['express-slow-down', 'express'],
  about: 'delays of the second and third request',
  start() {
    const express = require('express');
    const { slowDown } = require('express-slow-down');
    const app = express();
    app.use(slowDown({ windowMs: 60_000, delayAfter: 1, delayMs: (hits) => hits * 20 }));
    app.get('/', (req, res) => res.json({ used: req.slowDown.used, delay: req.slowDown.delay }));
    return app;
  },
  requests: ['GET /', 'GET /', 'GET /'],
};
