module.exports = {
  wants: ['http-proxy', 'express'],
  about: 'proxy.web() in a handler, an error, events of the proxy',
  async start({ note }) {
    const express = require('express');
    const { once } = require('node:events');
    const httpProxy = require('http-proxy');
    const behind = express();
    behind.use((req, res) => res.set('X-Behind', req.method).send(`${req.url} ${req.get('host')}`));
    const server = behind.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const proxy = httpProxy.createProxyServer({});
    proxy.on('proxyRes', (proxyRes) => note('proxyRes', proxyRes.statusCode));
    const app = express();
    app.use('/a', (req, res) => proxy.web(req, res, { target: `http://127.0.0.1:${server.address().port}` }));
    app.use('/b', (req, res, next) => proxy.web(req, res, { target: 'http://127.0.0.1:1' }, next));
    app.use((error, req, res, next) => res.status(502).send(error.code));
    return app;
  },
  requests: ['GET /a/x?y=1', 'POST /a/x\n\nbody', 'GET /b'],
};
