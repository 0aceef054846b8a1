module.exports = {
  wants: ['connect-flash', 'express-session', 'express'],
  about: 'messages for a single request',
  start() {
    const express = require('express');
    const session = require('express-session');
    const flash = require('connect-flash');
    const app = express();
    app.use(session({ secret: 'keyboard cat', resave: false, saveUninitialized: false }));
    app.use(flash());
    app.get('/flash', (req, res) => {
      req.flash('info', 'Flash is back!');
      req.flash('info', ['%s of %d', 'one'], 2);
      res.redirect('/');
    });
    app.get('/', (req, res) => res.json({ info: req.flash('info'), all: req.flash() }));
    return app;
  },
  requests: ['GET /flash', 'GET /', 'GET /'],
};
