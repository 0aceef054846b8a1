module.exports = {
  wants: ['csrf-sync', 'express-session', 'express'],
  about: 'a token in the session, requests with and without it',
  start() {
    const express = require('express');
    const session = require('express-session');
    const { csrfSync } = require('csrf-sync');
    const { generateToken, csrfSynchronisedProtection } = csrfSync();
    const app = express();
    app.use(session({ secret: 'keyboard cat', resave: false, saveUninitialized: true }));
    app.get('/token', (req, res) => res.json({ token: generateToken(req) }));
    app.use(csrfSynchronisedProtection);
    app.post('/act', (req, res) => res.send('done'));
    app.use((error, req, res, next) =>
      res.status(error.statusCode ?? 500).json({ code: error.code, message: error.message }),
    );
    return app;
  },
  async play({ send }) {
    const { token } = JSON.parse((await send('GET /token')).text);
    await send(`POST /act\nx-csrf-token: ${token}`);
    await send('POST /act');
  },
};
