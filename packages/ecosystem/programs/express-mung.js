module.exports = {
  wants: ['express-mung', 'express'],
  about: 'changed JSON answers and fields',
  start() {
    const express = require('express');
    const mung = require('express-mung');
    const app = express();
    app.use(mung.json((body) => ({ ...body, added: true })));
    app.use(mung.headers((req, res) => res.set('X-Munged', '1')));
    app.get('/', (req, res) => res.json({ a: 1 }));
    app.get(
      '/later',
      mung.jsonAsync(async (body) => ({ later: body })),
      (req, res) => res.json({ b: 1 }),
    );
    app.get(
      '/text',
      mung.write((chunk) => chunk.toString().toUpperCase()),
      (req, res) => res.send('text'),
    );
    return app;
  },
  requests: ['GET /', 'GET /later', 'GET /text', 'HEAD /'],
};
