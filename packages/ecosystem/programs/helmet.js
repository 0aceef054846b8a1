module.exports = {
  wants: ['helmet', 'express'],
  about: 'all fields, a policy with a nonce, parts switched off',
  start() {
    const express = require('express');
    const helmet = require('helmet');
    const app = express();
    app.use('/all', helmet());
    app.use('/nonce', (req, res, next) => {
      res.locals.nonce = 'abc';
      next();
    });
    app.use(
      '/nonce',
      helmet({
        contentSecurityPolicy: { directives: { scriptSrc: ["'self'", (req, res) => `'nonce-${res.locals.nonce}'`] } },
      }),
    );
    app.use(
      '/few',
      helmet({ contentSecurityPolicy: false, xPoweredBy: false, strictTransportSecurity: { maxAge: 60 } }),
    );
    app.get('/:which', (req, res) => res.send(req.params.which));
    return app;
  },
  requests: ['GET /all', 'GET /nonce', 'GET /few', 'HEAD /all', 'POST /all'],
};
