module.exports = {
  wants: ['cookie-session', 'express'],
  about: 'a counter in a signed cookie, a changed key, the end of a session',
  start() {
    const express = require('express');
    const cookieSession = require('cookie-session');
    const app = express();
    app.use(cookieSession({ name: 'session', keys: ['key1', 'key2'], maxAge: 24 * 60 * 60 * 1000 }));
    app.get('/', (req, res) => {
      req.session.views = (req.session.views || 0) + 1;
      res.json({ views: req.session.views, isNew: req.session.isNew });
    });
    app.post('/end', (req, res) => {
      req.session = null;
      res.send('ended');
    });
    return app;
  },
  requests: ['GET /', 'GET /', 'POST /end', 'GET /', 'GET /\nCookie: session=eyJ2aWV3cyI6OX0=; session.sig=forged'],
};
