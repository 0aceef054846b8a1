module.exports = {
  wants: ['express-session', 'express', 'memorystore', 'session-file-store'],
  about: 'a counter, regenerate, destroy, rolling cookies; its own store and two others',
  start({ folder }) {
    const express = require('express');
    const session = require('express-session');
    const MemoryStore = require('memorystore')(session);
    const FileStore = require('session-file-store')(session);
    const app = express();
    const options = { secret: 'keyboard cat', resave: false, saveUninitialized: false, cookie: { maxAge: 60_000 } };
    app.use('/own', session({ ...options, name: 'own', rolling: true }));
    app.use('/memory', session({ ...options, name: 'memory', store: new MemoryStore({ checkPeriod: 86_400_000 }) }));
    const store = new FileStore({ path: `${folder}/sessions`, logFn() {}, reapInterval: -1 });
    app.use('/file', session({ ...options, name: 'file', store }));
    app.get('/:store/count', (req, res) => {
      req.session.views = (req.session.views ?? 0) + 1;
      res.json({ views: req.session.views, id: req.sessionID });
    });
    app.post('/:store/new', (req, res, next) =>
      req.session.regenerate((error) => (error ? next(error) : res.send(req.sessionID))),
    );
    app.post('/:store/end', (req, res, next) =>
      req.session.destroy((error) => (error ? next(error) : res.redirect('/'))),
    );
    return app;
  },
  async play({ send }) {
    for (const store of ['own', 'memory', 'file']) {
      await send(`GET /${store}/count`);
      await send(`GET /${store}/count`);
      await send(`POST /${store}/new`);
      await send(`GET /${store}/count`);
      await send(`POST /${store}/end`);
      await send(`GET /${store}/count`);
    }
    await send('GET /own/count\nCookie: own=s%3Aforged.signature');
  },
};
