module.exports = {
  wants: ['express-jwt', 'jsonwebtoken', 'express'],
  about: 'a token, a missing, an expired and a revoked one, excluded paths',
  start() {
    const express = require('express');
    const { expressjwt } = require('express-jwt');
    const app = express();
    app.use(
      expressjwt({
        secret: 'secret',
        algorithms: ['HS256'],
        isRevoked: async (req, token) => token.payload.sub === 'gone',
      }).unless({ path: ['/open', /^\/free/] }),
    );
    app.get('/{*path}', (req, res) => res.json(req.auth ?? null));
    app.use((error, req, res, next) =>
      res.status(error.status).json({ name: error.name, code: error.code, message: error.message }),
    );
    return app;
  },
  async play({ send }) {
    const jwt = require('jsonwebtoken');
    const ask = (payload, options) => send(`GET /\nAuthorization: Bearer ${jwt.sign(payload, 'secret', options)}`);
    await ask({ sub: 'ann' });
    await ask({ sub: 'gone' });
    await ask({ sub: 'ann' }, { expiresIn: -10 });
    for (const path of ['/', '/open', '/free/x']) await send(`GET ${path}`);
    await send('GET /\nAuthorization: Bearer x');
    await send('GET /\nAuthorization: Basic x');
  },
};
