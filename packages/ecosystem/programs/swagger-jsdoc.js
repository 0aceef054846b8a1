module.exports = {
  wants: ['swagger-jsdoc', 'express'],
  about: 'a description generated from comments, and served',
  files: {
    'routes.txt.js':
      '/**\n * @openapi\n * /:\n *   get:\n *     description: Welcome\n *     responses:\n *       200:\n *         description: A string.\n */\n',
  },
  start({ folder }) {
    const express = require('express');
    const swaggerJsdoc = require('swagger-jsdoc');
    const app = express();
    const spec = swaggerJsdoc({
      definition: { openapi: '3.0.0', info: { title: 'Hello', version: '1.0.0' } },
      apis: [`${folder}/routes.txt.js`],
    });
    app.get('/openapi.json', (req, res) => res.json(spec));
    return app;
  },
  requests: ['GET /openapi.json'],
};
