module.exports = {
  wants: ['express-list-endpoints', 'express@4'],
  about: 'the endpoints of an application with nested routers, parameters and chains',
  start({ nestedRoutes }) {
    const express = require('express');
    const listEndpoints = require('express-list-endpoints');
    const app = express();
    app.use('/items', nestedRoutes(express));
    app.use(
      '/:team/x',
      express.Router().all('/every', (req, res) => res.end()),
    );
    app.get(['/a', '/b'], (req, res) => res.json(listEndpoints(app)));
    return app;
  },
  requests: ['GET /a', 'GET /items/1'],
};
