module.exports = {
  wants: ['express-slow-down', 'express'],
  about: 'the second and third request are late, by how much the request says',
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
