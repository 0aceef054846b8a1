module.exports = {
  wants: ['@vercel/node-bridge', 'express'],
  about: 'events of its launcher: a page, a body, binary, an error, a redirect; the same application over a socket',
  start() {
    const express = require('express');
    const app = express();
    app.get('/', (req, res) => res.json({ query: req.query, one: req.get('x-one'), ip: req.get('x-real-ip') }));
    app.post('/echo', express.json(), (req, res) => res.cookie('a', '1').status(201).send(req.body));
    app.get('/image', (req, res) => res.type('png').send(Buffer.from([1, 2, 255])));
    app.get('/away', (req, res) => res.redirect('/'));
    app.get('/error', () => {
      throw Object.assign(new Error('broken'), { stack: 'broken' });
    });
    module.exports.app = app;
    return app;
  },
  requests: ['GET /?a=1'],
  async play({ note }) {
    const http = require('node:http');
    const { Bridge } = require('@vercel/node-bridge/bridge');
    const server = http.createServer(module.exports.app);
    const bridge = new Bridge(server);
    bridge.listen();
    const events = [
      { method: 'GET', path: '/?a=1', headers: { 'x-one': '1', 'x-real-ip': '10.0.0.1' } },
      { method: 'POST', path: '/echo', headers: { 'content-type': 'application/json' }, body: '{"a":1}' },
      { method: 'GET', path: '/image', headers: {} },
      { method: 'GET', path: '/away', headers: {} },
      { method: 'GET', path: '/error', headers: {} },
      { method: 'GET', path: '/nowhere', headers: {} },
    ];
    for (const event of events) {
      const body = JSON.stringify({
        ...event,
        host: 'app.example',
        body: Buffer.from(event.body ?? '').toString('base64'),
        encoding: 'base64',
      });
      const {
        statusCode,
        headers,
        body: answer,
      } = await bridge.launcher({ Action: 'Invoke', body }, { callbackWaitsForEmptyEventLoop: true });
      const { date, ...others } = headers;
      note(event.path, [statusCode, others, Buffer.from(answer, 'base64').toString('latin1')]);
    }
    server.close();
    server.closeAllConnections();
  },
};
