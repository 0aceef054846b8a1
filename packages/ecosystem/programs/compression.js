module.exports = {
  wants: ['compression', 'express'],
  about: 'gzip, deflate, brotli; below the threshold, a filter, flush() of an event stream',
  start() {
    const express = require('express');
    const compression = require('compression');
    const app = express();
    app.use(compression({ filter: (req, res) => !req.get('x-no-compression') && compression.filter(req, res) }));
    const text = 'All work and no play makes Jack a dull boy. '.repeat(100);
    app.get('/long', (req, res) => res.type('text').send(text));
    app.get('/short', (req, res) => res.json({ short: true }));
    app.get('/image', (req, res) => res.type('png').send(Buffer.alloc(4000)));
    app.get('/kept', (req, res) => res.set('Cache-Control', 'no-transform').send(text));
    app.get('/events', (req, res) => {
      res.type('text/event-stream').set('Cache-Control', 'no-cache');
      res.write('data: one\n\n');
      res.flush();
      setTimeout(() => res.end('data: two\n\n'), 30);
    });
    return app;
  },
  requests: [
    'GET /long\nAccept-Encoding: gzip',
    'GET /long\nAccept-Encoding: deflate',
    'GET /long\nAccept-Encoding: br, gzip',
    'GET /long',
    'HEAD /long\nAccept-Encoding: gzip',
    'GET /long\nAccept-Encoding: gzip\nX-No-Compression: 1',
    'GET /short\nAccept-Encoding: gzip',
    'GET /image\nAccept-Encoding: gzip',
    'GET /kept\nAccept-Encoding: gzip',
    'GET /events\nAccept-Encoding: gzip',
  ],
};
