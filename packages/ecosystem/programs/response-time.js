module.exports = {
  wants: ['response-time', 'express'],
  about: 'the field before all others, a function instead of it',
  masks: [[/: [\d.]+ms/g, ': N ms']],
  start({ note }) {
    const express = require('express');
    const responseTime = require('response-time');
    const app = express();
    app.use(responseTime());
    app.use(responseTime((req, res, time) => note('took', [req.url, typeof time])));
    app.get('/', (req, res) => res.send('hello'));
    app.get('/raw', (req, res) => res.writeHead(201, { 'X-One': '1' }).end());
    return app;
  },
  requests: ['GET /', 'GET /raw', 'GET /nowhere'],
};
