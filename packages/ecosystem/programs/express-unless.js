module.exports = {
  wants: ['express-unless', 'express'],
  about: 'paths, methods and expressions that skip a middleware',
  start() {
    const express = require('express');
    const { unless } = require('express-unless');
    const app = express();
    const guard = (req, res, next) => res.status(403).send('guarded');
    guard.unless = unless;
    app.use('/api', guard.unless({ path: ['/open', { url: '/post', methods: ['POST'] }], useOriginalUrl: false }));
    app.use(guard.unless({ method: 'OPTIONS', path: /^\/(x|api)/, ext: ['png'] }));
    app.use((req, res) => res.send(req.url));
    return app;
  },
  requests: ['GET /api/open', 'GET /api/post', 'POST /api/post', 'GET /x', 'GET /y', 'OPTIONS /y', 'GET /y.png'],
};
