module.exports = {
  wants: ['rate-limiter-flexible', 'express'],
  about: 'points by address in memory, the fields of its guide, 429',
  clock: 'runs',
  masks: [[/(Retry-After|X-RateLimit-Reset): .*/g, '$1: N']],
  start() {
    const express = require('express');
    const { RateLimiterMemory } = require('rate-limiter-flexible');
    const app = express();
    const limiter = new RateLimiterMemory({ points: 3, duration: 100 });
    app.use((req, res, next) => {
      limiter
        .consume(req.ip, req.path === '/costly' ? 2 : 1)
        .then((state) => {
          res.set({
            'X-RateLimit-Limit': 3,
            'X-RateLimit-Remaining': state.remainingPoints,
            'X-RateLimit-Reset': new Date(Date.now() + state.msBeforeNext),
          });
          next();
        })
        .catch((state) =>
          res
            .set('Retry-After', state.msBeforeNext / 1000)
            .status(429)
            .send('Too Many Requests'),
        );
    });
    app.get('/{:name}', (req, res) => res.send('hello'));
    return app;
  },
  requests: ['GET /', 'GET /costly', 'GET /', 'GET /'],
};
