module.exports = {
  wants: ['csurf', 'cookie-parser', 'express'],
  about: 'a token in a cookie, in the form and in a field; a missing one',
  start() {
    const express = require('express');
    const cookieParser = require('cookie-parser');
    const csrf = require('csurf');
    const app = express();
    const protect = csrf({ cookie: true });
    app.use(cookieParser());
    app.get('/form', protect, (req, res) => res.json({ token: req.csrfToken() }));
    app.post('/process', express.urlencoded({ extended: false }), protect, (req, res) =>
      res.send('data is being processed'),
    );
    app.use((error, req, res, next) =>
      error.code === 'EBADCSRFTOKEN' ? res.status(403).send('form tampered with') : next(error),
    );
    return app;
  },
  async play({ send }) {
    const { token } = JSON.parse((await send('GET /form')).text);
    await send(`POST /process\nContent-Type: application/x-www-form-urlencoded\n\n_csrf=${encodeURIComponent(token)}`);
    await send(`POST /process\nX-CSRF-Token: ${token}`);
    await send('POST /process');
  },
};
