module.exports = {
  wants: ['http-proxy-middleware', 'express'],
  about: 'a proxied path, rewriting, bodies, a changed answer, an unavailable target',
  async start() {
    const express = require('express');
    const { once } = require('node:events');
    const { createProxyMiddleware, responseInterceptor } = require('http-proxy-middleware');
    const behind = express();
    behind.post('/echo', express.text(), (req, res) =>
      res.set('X-Behind', '1').send(`${req.url} ${req.get('x-forwarded-host')} ${req.body}`),
    );
    behind.get('/long', (req, res) => res.type('text').send('x'.repeat(5000)));
    const server = behind.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const target = `http://127.0.0.1:${server.address().port}`;
    const app = express();
    app.use(
      '/api',
      createProxyMiddleware({
        target,
        changeOrigin: false,
        xfwd: true,
        on: { proxyReq: (proxyReq) => proxyReq.setHeader('X-Added', '1') },
      }),
    );
    app.use('/old', createProxyMiddleware({ target, pathRewrite: { '^/x': '/echo' } }));
    const changed = responseInterceptor(async (buffer) => buffer.toString().slice(0, 3).toUpperCase());
    app.use('/changed', createProxyMiddleware({ target, selfHandleResponse: true, on: { proxyRes: changed } }));
    app.use('/dead', createProxyMiddleware({ target: 'http://127.0.0.1:1', logger: undefined }));
    return app;
  },
  masks: [[/127\.0\.0\.1:\d+/g, 'HOST']],
  requests: [
    'POST /api/echo?a=1\nContent-Type: text/plain\n\nhello',
    'POST /old/x\nContent-Type: text/plain\n\nagain',
    'GET /changed/long',
    'GET /api/long',
    'HEAD /api/long',
    'GET /api/nowhere',
    'GET /dead/x',
  ],
};
