module.exports = {
  wants: ['swagger-ui-express', 'express'],
  about: 'the page, its script with the description, its files',
  start() {
    const express = require('express');
    const swaggerUi = require('swagger-ui-express');
    const app = express();
    const document = { openapi: '3.0.0', info: { title: 'pets', version: '1' }, paths: {} };
    app.use('/api-docs', swaggerUi.serve, swaggerUi.setup(document, { explorer: true, customSiteTitle: 'Pets' }));
    return app;
  },
  requests: [
    'GET /api-docs',
    'GET /api-docs/',
    'GET /api-docs/swagger-ui-init.js',
    'GET /api-docs/swagger-ui.css\nRange: bytes=0-9',
    'GET /api-docs/swagger-ui-bundle.js',
    'GET /api-docs/nothing.js',
  ],
};
