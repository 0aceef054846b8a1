module.exports = {
  wants: ['express-list-routes', 'express'],
  about: 'the routes of an application and of a router, with prefixes',
  start({ nestedRoutes }) {
    const express = require('express');
    const listRoutes = require('express-list-routes');
    const app = express();
    const router = nestedRoutes(express);
    app.use('/items', router);
    app.get('/', (req, res) => {
      const quiet = { logger: () => {}, color: false };
      res.json([listRoutes(app, quiet), listRoutes(router, { ...quiet, prefix: '/api' })]);
    });
    return app;
  },
  requests: ['GET /', 'GET /items/1'],
};
