module.exports = {
  wants: ['express-rate-limit', 'express'],
  about: 'both kinds of fields, an exceeded limit, a custom key, a message from a function, skipped requests',
  start() {
    const express = require('express');
    const { rateLimit } = require('express-rate-limit');
    const app = express();
    const options = { windowMs: 15 * 60 * 1000, limit: 2 };
    app.use('/draft8', rateLimit({ ...options, standardHeaders: 'draft-8', legacyHeaders: false }));
    app.use('/draft6', rateLimit({ ...options, standardHeaders: 'draft-6' }));
    app.use(
      '/key',
      rateLimit({
        ...options,
        limit: 1,
        keyGenerator: (req) => req.get('x-key') ?? 'none',
        message: (req) => ({ slow: req.get('x-key') }),
      }),
    );
    app.use(
      '/failed',
      rateLimit({ ...options, limit: 1, skipSuccessfulRequests: true, skip: (req) => req.query.skip === '1' }),
    );
    app.get('/:name', (req, res) => res.status(Number(req.query.status ?? 200)).json({ used: req.rateLimit?.used }));
    return app;
  },
  requests: [
    'GET /draft8',
    'GET /draft8',
    'GET /draft8',
    'GET /draft6',
    'GET /draft6',
    'GET /draft6',
    'GET /key\nX-Key: a',
    'GET /key\nX-Key: b',
    'GET /key\nX-Key: a',
    'GET /failed',
    'GET /failed?status=500',
    'GET /failed',
    'GET /failed?skip=1',
  ],
};
