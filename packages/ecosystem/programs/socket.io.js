module.exports = {
  wants: ['socket.io', 'socket.io-client', 'express'],
  about: 'polling, the upgrade to WebSocket, rooms, acknowledgements, the served client, middleware of the handshake',
  // Its heartbeat reads the clock.
  clock: 'runs',
  polls: true,
  start({ note }) {
    const express = require('express');
    const { createServer } = require('node:http');
    const { Server } = require('socket.io');
    const app = express();
    app.get('/', (req, res) => res.send('a page'));
    const server = createServer(app);
    const io = new Server(server, { cors: { origin: 'https://a.example' } });
    io.use((socket, next) => (socket.handshake.auth.token === 'no' ? next(new Error('not authorized')) : next()));
    io.on('connection', (socket) => {
      note('connection', [socket.handshake.url.split('?')[0], socket.handshake.auth]);
      socket.on('join', (room, done) => {
        socket.join(room);
        io.to(room).emit('joined', room);
        done([...socket.rooms].length);
      });
      socket.on('disconnect', (reason) => note('disconnect', reason));
    });
    return server;
  },
  requests: [
    'GET /',
    'GET /socket.io/socket.io.js',
    'GET /socket.io/?EIO=3&transport=polling',
    'OPTIONS /socket.io/?EIO=4&transport=polling\nOrigin: https://a.example\nAccess-Control-Request-Method: POST',
  ],
  async play({ note, origin }) {
    const { io } = require('socket.io-client');
    const { once } = require('node:events');
    for (const transports of [['websocket'], ['polling'], ['polling', 'websocket']]) {
      const socket = io(origin, { transports, auth: { user: 'ann' }, reconnection: false, forceNew: true });
      const upgraded =
        transports.length > 1 ? new Promise((resolve) => socket.io.engine.once('upgrade', resolve)) : undefined;
      const joined = new Promise((resolve) => socket.once('joined', resolve));
      await new Promise((resolve, reject) => socket.once('connect', resolve).once('connect_error', reject));
      await upgraded;
      note('transport', socket.io.engine.transport.name);
      note('rooms', await socket.emitWithAck('join', 'kitchen'));
      note('joined', await joined);
      const gone = new Promise((resolve) => socket.once('disconnect', resolve));
      socket.disconnect();
      note('gone', await gone);
    }
    const refused = io(origin, { auth: { token: 'no' }, reconnection: false, forceNew: true });
    const [error] = await new Promise((resolve) => refused.once('connect_error', (...args) => resolve(args)));
    note('refused', error);
    refused.close();
    await once(process, 'never', { signal: AbortSignal.timeout(50) }).catch(() => undefined);
  },
};
