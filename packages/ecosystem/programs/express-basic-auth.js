module.exports = {
  wants: ['express-basic-auth', 'express'],
  about: 'users, a challenge, an asynchronous authorizer',
  start() {
    const express = require('express');
    const basicAuth = require('express-basic-auth');
    const app = express();
    app.use('/a', basicAuth({ users: { admin: 'secret' }, challenge: true, realm: 'here' }));
    app.use(
      '/b',
      basicAuth({
        authorizeAsync: true,
        authorizer: (name, password, done) => setImmediate(() => done(null, name === 'x')),
        unauthorizedResponse: (req) => ({ no: !!req.auth }),
      }),
    );
    app.get('/:which', (req, res) => res.json(req.auth));
    return app;
  },
  requests: [
    'GET /a',
    'GET /a\nAuthorization: Basic YWRtaW46c2VjcmV0',
    'GET /a\nAuthorization: Basic YWRtaW46bm8=',
    'GET /b\nAuthorization: Basic eDp5',
    'GET /b',
  ],
};
