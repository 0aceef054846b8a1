const spec = {
  openapi: '3.0.0',
  info: { title: 'pets', version: '1' },
  paths: {
    '/pets': {
      get: {
        parameters: [{ name: 'limit', in: 'query', required: true, schema: { type: 'integer', maximum: 9 } }],
        responses: {
          200: {
            description: 'ok',
            content: { 'application/json': { schema: { type: 'array', items: { type: 'string' } } } },
          },
        },
      },
      post: {
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
            },
          },
        },
        responses: { 201: { description: 'made' } },
      },
    },
  },
};
module.exports = {
  wants: ['express-openapi-validator', 'express'],
  about: 'requests and responses validated against a description: 400, 404, 405, 415',
  start() {
    const express = require('express');
    const OpenApiValidator = require('express-openapi-validator');
    const app = express();
    app.use(express.json());
    app.use(OpenApiValidator.middleware({ apiSpec: spec, validateRequests: true, validateResponses: true }));
    app.get('/pets', (req, res) => res.json(req.query.limit === 1 ? [1] : ['a', typeof req.query.limit]));
    app.post('/pets', (req, res) => res.sendStatus(201));
    app.use((error, req, res, next) =>
      res.status(error.status || 500).json({ message: error.message, errors: error.errors }),
    );
    return app;
  },
  requests: [
    'GET /pets?limit=3',
    'GET /pets?limit=1',
    'GET /pets',
    'GET /pets?limit=99',
    'POST /pets\nContent-Type: application/json\n\n{"name":"x"}',
    'POST /pets\nContent-Type: application/json\n\n{}',
    'POST /pets\nContent-Type: text/plain\n\nx',
    'PUT /pets',
    'GET /nowhere',
  ],
};
