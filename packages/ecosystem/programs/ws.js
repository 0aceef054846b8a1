module.exports = {
  wants: ['ws', 'express'],
  about: 'a socket server on the same http.Server: handshake, messages, ping, refused upgrades, close codes',
  start({ note }) {
    const express = require('express');
    const { createServer } = require('node:http');
    const { WebSocketServer } = require('ws');
    const app = express();
    app.get('/', (req, res) => res.send('a page'));
    const server = createServer(app);
    const wss = new WebSocketServer({ noServer: true });
    wss.on('headers', (fields) => fields.push('X-Served: ws'));
    wss.on('connection', (socket, req) => {
      note('connection', [req.url, req.headers.host?.replace(/\d+$/, ''), req.httpVersion]);
      socket.on('message', (data, isBinary) => socket.send(isBinary ? data : `echo ${data}`));
      socket.on('close', (code, reason) => note('server closed', [code, String(reason)]));
    });
    server.on('upgrade', (req, socket, head) => {
      if (req.url === '/no') return socket.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n');
      wss.handleUpgrade(req, socket, head, (ws) => wss.emit('connection', ws, req));
    });
    return server;
  },
  requests: ['GET /', 'GET /nowhere'],
  async play({ note, port, send }) {
    const { WebSocket } = require('ws');
    const { once } = require('node:events');
    const socket = new WebSocket(`ws://127.0.0.1:${port}/chat`);
    socket.on('upgrade', (res) => note('upgraded', [res.statusCode, res.rawHeaders]));
    await once(socket, 'open');
    for (const message of ['hello', 'x'.repeat(70_000), Buffer.from([1, 2, 3])]) {
      socket.send(message);
      const [data, isBinary] = await once(socket, 'message');
      note('message', [data.length, isBinary, data.toString('latin1').slice(0, 20)]);
    }
    socket.ping('are you there');
    note('pong', String((await once(socket, 'pong'))[0]));
    socket.close(4001, 'enough');
    note('closed', String(await once(socket, 'close')));
    const refused = new WebSocket(`ws://127.0.0.1:${port}/no`);
    const [error] = await once(refused, 'error');
    note('refused', error);
    await send('GET /');
  },
};
