module.exports = {
  wants: ['cookie-parser', 'express'],
  about: 'plain, signed, forged and JSON cookies, with two secrets',
  start() {
    const express = require('express');
    const cookieParser = require('cookie-parser');
    const app = express();
    app.use(cookieParser(['new secret', 'old secret']));
    app.get('/set', (req, res) =>
      res
        .cookie('plain', 'a b')
        .cookie('signed', 'me', { signed: true, httpOnly: true })
        .cookie('data', { n: 1 })
        .send('set'),
    );
    app.get('/get', (req, res) => res.json({ cookies: req.cookies, signed: req.signedCookies, secret: req.secret }));
    app.get('/clear', (req, res) => res.clearCookie('plain').sendStatus(204));
    return app;
  },
  requests: [
    'GET /set',
    'GET /get',
    'GET /get\nCookie: signed=s%3Ame.forged; data=j%3A%7B%22n%22%3A1%7D; a=1; a=2',
    'GET /clear',
    'GET /get',
  ],
};
