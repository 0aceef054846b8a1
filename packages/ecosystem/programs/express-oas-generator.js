module.exports = {
  wants: ['express-oas-generator', 'express@4'],
  about: 'a description generated from the stack and from requests',
  start({ folder }) {
    const express = require('express');
    const generator = require('express-oas-generator');
    const app = express();
    generator.handleResponses(app, { specOutputPath: undefined, writeIntervalMs: 0, alwaysServeDocs: true });
    app.use(express.json());
    const router = express.Router();
    router.get('/:id', (req, res) => res.json({ id: req.params.id, query: req.query }));
    router.post('/', (req, res) => res.status(201).json(req.body));
    app.use('/items', router);
    generator.handleRequests();
    return app;
  },
  requests: [
    'GET /items/1?deep=true',
    'POST /items\nContent-Type: application/json\n\n{"name":"a","count":1}',
    'GET /api-spec/v2',
    'GET /api-spec/v3',
  ],
};
