module.exports = {
  wants: ['express-list-routes', 'express'],
  about: 'the routes of an application and of a router, with prefixes',
  start() {
    const express = require('express');
    const listRoutes = require('express-list-routes');
    const app = express();
    const router = express.Router();
    router
      .route('/:id')
      .get((req, res) => res.end())
      .put((req, res) => res.end());
    router.use(
      '/deep',
      express.Router().post('/er', (req, res) => res.end()),
    );
    app.use('/items', router);
    app.get('/', (req, res) => {
      const quiet = { logger: () => {}, color: false };
      res.json([listRoutes(app, quiet), listRoutes(router, { ...quiet, prefix: '/api' })]);
    });
    return app;
  },
  requests: ['GET /', 'GET /items/1'],
};
