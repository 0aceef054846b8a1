module.exports = {
  wants: ['csrf-csrf', 'cookie-parser', 'express'],
  about: 'the double cookie: a token, a request with it, without it, with a forged one',
  start() {
    const express = require('express');
    const cookieParser = require('cookie-parser');
    const { doubleCsrf } = require('csrf-csrf');
    const app = express();
    const { generateCsrfToken, doubleCsrfProtection } = doubleCsrf({
      getSecret: () => 'a secret of some length',
      getSessionIdentifier: () => 'one',
      cookieName: 'x-csrf',
      cookieOptions: { secure: false },
    });
    app.use(cookieParser());
    app.get('/token', (req, res) => res.json({ token: generateCsrfToken(req, res) }));
    app.post('/act', doubleCsrfProtection, (req, res) => res.send('done'));
    app.use((error, req, res, next) =>
      res.status(error.statusCode ?? 500).json({ code: error.code, message: error.message }),
    );
    return app;
  },
  async play({ send }) {
    const { token } = JSON.parse((await send('GET /token')).text);
    await send(`POST /act\nx-csrf-token: ${token}`);
    await send('POST /act');
    await send('POST /act\nx-csrf-token: forged.token');
  },
};
