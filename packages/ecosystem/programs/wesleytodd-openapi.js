module.exports = {
  wants: ['@wesleytodd/openapi', 'express@4'],
  about: 'a description made of the layers of nested routers, its validation of requests',
  start() {
    const express = require('express');
    const openapi = require('@wesleytodd/openapi');
    const description = openapi({ openapi: '3.0.0', info: { title: 'an API', version: '1.0.0' } });
    const app = express();
    app.use(description);
    const answers = {
      200: { description: 'an item', content: { 'application/json': { schema: { type: 'object' } } } },
    };
    app.get('/plain', description.path({ responses: answers }), (req, res) => res.json({}));
    const router = express.Router();
    router.get('/:id', description.path({ responses: answers }), (req, res) => res.json({ id: req.params.id }));
    router.post(
      '/',
      express.json(),
      description.validPath({
        requestBody: {
          content: {
            'application/json': {
              schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
            },
          },
        },
        responses: answers,
      }),
      (req, res) => res.status(201).json(req.body),
    );
    const outer = express.Router();
    outer.use('/items', router);
    app.use('/api', outer);
    app.use((error, req, res, next) => res.status(error.status ?? 500).json(error.validationErrors ?? error.message));
    return app;
  },
  requests: [
    'GET /openapi.json',
    'GET /openapi/validate',
    'GET /api/items/1',
    'POST /api/items\nContent-Type: application/json\n\n{"name":"a"}',
    'POST /api/items\nContent-Type: application/json\n\n{}',
    'GET /openapi.json',
  ],
};
