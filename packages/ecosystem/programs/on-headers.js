module.exports = {
  wants: ['on-headers', 'express'],
  about: 'listeners before the head, in their order, for each way to answer',
  start() {
    const express = require('express');
    const onHeaders = require('on-headers');
    const app = express();
    app.use((req, res, next) => {
      for (const n of [1, 2]) onHeaders(res, () => res.setHeader('X-Order', `${res.getHeader('X-Order') ?? ''}${n}`));
      onHeaders(res, () => res.statusCode === 299 && (res.statusCode = 201));
      next();
    });
    app.get('/send', (req, res) => res.send('hello'));
    app.get('/write', (req, res) => res.write('a', () => res.end('b')));
    app.get('/head', (req, res) => res.writeHead(202, 'Fine', { 'X-Two': '2' }).end());
    app.get('/list', (req, res) => res.writeHead(200, ['X-Three', '3', 'X-Three', '4']).end());
    app.get('/flush', (req, res) => (res.flushHeaders(), res.end('flushed')));
    app.get('/status', (req, res) => res.status(299).end());
    return app;
  },
  requests: [
    'GET /send',
    'GET /write',
    'GET /head',
    'GET /list',
    'GET /flush',
    'GET /status',
    'GET /nowhere',
    'HEAD /send',
  ],
};
