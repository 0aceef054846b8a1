module.exports = {
  wants: ['request-ip', 'express'],
  about: 'the address by each field that a proxy may set, and by the socket',
  start() {
    const express = require('express');
    const requestIp = require('request-ip');
    const app = express();
    app.use(requestIp.mw());
    app.get('/', (req, res) => res.json([req.clientIp, requestIp.getClientIp(req), req.ip]));
    return app;
  },
  requests: [
    'GET /',
    'GET /\nX-Forwarded-For: 1.2.3.4, 5.6.7.8',
    'GET /\nX-Client-IP: 9.9.9.9',
    'GET /\nCF-Connecting-IP: 8.8.8.8',
    'GET /\nForwarded: 7.7.7.7',
  ],
};
