module.exports = {
  wants: ['sockjs', 'sockjs-client', 'express'],
  about: 'its info, WebSocket and xhr-streaming, on the server of an application',
  clock: 'runs',
  polls: true,
  masks: [
    [/"entropy":\d+/g, '"entropy":N'],
    [/Expires: .*/g, 'Expires'],
  ],
  start({ note }) {
    const express = require('express');
    const { createServer } = require('node:http');
    const sockjs = require('sockjs');
    const app = express();
    app.get('/', (req, res) => res.send('a page'));
    const echo = sockjs.createServer({ log() {} });
    echo.on('connection', (conn) => {
      note('connection', conn.protocol);
      conn.on('data', (message) => conn.write(`echo ${message}`));
    });
    const server = createServer(app);
    echo.installHandlers(server, { prefix: '/echo' });
    return server;
  },
  requests: [
    'GET /',
    'GET /echo',
    'GET /echo/iframe.html',
    'POST /echo/a/b/xhr',
    'POST /echo/a/b/xhr_send\n\n["hello"]',
    'POST /echo/a/b/xhr',
    'POST /echo/a/none/xhr_send\n\n["x"]',
    'OPTIONS /echo/a/b/xhr',
  ],
  async play({ note, origin }) {
    const SockJS = require('sockjs-client');
    for (const transports of ['websocket', 'xhr-streaming']) {
      const socket = new SockJS(`${origin}/echo`, undefined, { transports });
      await new Promise((resolve) => (socket.onopen = resolve));
      socket.send('hello');
      note(transports, (await new Promise((resolve) => (socket.onmessage = resolve))).data);
      const closed = new Promise((resolve) => (socket.onclose = resolve));
      socket.close(3000, 'enough');
      note('closed', (await closed).code);
    }
  },
};
