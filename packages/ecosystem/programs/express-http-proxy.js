module.exports = {
  wants: ['express-http-proxy', 'express'],
  about: 'a changed path, a changed answer, a forwarded body',
  async start() {
    const express = require('express');
    const { once } = require('node:events');
    const proxy = require('express-http-proxy');
    const behind = express();
    behind.use(express.json(), (req, res) => res.json({ url: req.url, method: req.method, body: req.body }));
    const server = behind.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const host = `http://127.0.0.1:${server.address().port}`;
    const app = express();
    app.use('/plain', proxy(host));
    const decorated = {
      proxyReqPathResolver: (req) => `/new${req.url}`,
      userResDecorator: (res, data) => JSON.stringify({ ...JSON.parse(data), added: true }),
    };
    app.use('/decorated', proxy(host, decorated));
    return app;
  },
  requests: ['GET /plain/a?b=1', 'POST /plain/a\nContent-Type: application/json\n\n{"x":1}', 'GET /decorated/c'],
};
