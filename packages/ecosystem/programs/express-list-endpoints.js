module.exports = {
  wants: ['express-list-endpoints', 'express'],
  about: 'the endpoints of an application with nested routers, parameters and chains',
  start() {
    const express = require('express');
    const listEndpoints = require('express-list-endpoints');
    const app = express();
    const router = express.Router();
    router
      .route('/:id')
      .get((req, res) => res.end())
      .put((req, res) => res.end());
    router.use(
      '/deep',
      express.Router().post('/er', function named(req, res) {}),
    );
    app.use('/items', router);
    app.use(
      '/:team/x',
      express.Router().all('/every', (req, res) => res.end()),
    );
    app.get(['/a', '/b'], (req, res) => res.json(listEndpoints(app)));
    return app;
  },
  requests: ['GET /a', 'GET /items/1'],
};
