module.exports = {
  wants: ['express-prom-bundle', 'prom-client', 'express'],
  about: 'requests counted by path, method and status',
  masks: [[/Content-Length.*|ETag.*/g, '']],
  start({ note }) {
    const express = require('express');
    const promBundle = require('express-prom-bundle');
    const client = require('prom-client');
    const app = express();
    app.use(
      promBundle({
        includeMethod: true,
        includePath: true,
        customLabels: { who: 'ann' },
        normalizePath: [['^/item/.*', '/item/#id']],
      }),
    );
    app.get('/item/:id', (req, res) => res.send(req.params.id));
    app.get('/told', async (req, res) => {
      const text = await client.register.metrics();
      note(
        'metrics',
        text.split('\n').filter((line) => /_count/.test(line)),
      );
      res.end();
    });
    return app;
  },
  requests: ['GET /item/1', 'GET /item/2', 'HEAD /item/2', 'GET /nowhere', 'GET /told'],
};
