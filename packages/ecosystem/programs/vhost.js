module.exports = {
  wants: ['vhost', 'express'],
  about: 'applications by Host: a name, a wildcard, an expression',
  start() {
    const express = require('express');
    const vhost = require('vhost');
    const app = express();
    const mail = express().get('/', (req, res) => res.send('mail'));
    app.use(vhost('mail.example.com', mail));
    app.use(
      vhost('*.*.example.com', (req, res) =>
        res.json({
          parts: [...Array(req.vhost.length).keys()].map((n) => req.vhost[n]),
          hostname: req.vhost.hostname,
          host: req.vhost.host,
        }),
      ),
    );
    app.use(vhost(/(.+)\.example\.org/, (req, res) => res.send(req.vhost[0])));
    return app;
  },
  requests: [
    'GET /\nHost: mail.example.com',
    'GET /\nHost: a.b.example.com:8080',
    'GET /\nHost: x.example.org',
    'GET /\nHost: other.net',
  ],
};
