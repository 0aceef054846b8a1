module.exports = {
  wants: ['engine.io', 'engine.io-client', 'express'],
  about: 'polling and WebSocket on the same server, messages both ways',
  clock: 'runs',
  polls: true,
  start({ note }) {
    const express = require('express');
    const { createServer } = require('node:http');
    const engine = require('engine.io');
    const app = express();
    app.get('/', (req, res) => res.send('a page'));
    const server = createServer(app);
    engine.attach(server).on('connection', (socket) => {
      note('connection', socket.protocol);
      socket.on('message', (data) => socket.send(`echo ${data}`));
      socket.on('close', (reason) => note('close', reason));
    });
    return server;
  },
  requests: ['GET /', 'GET /engine.io/?EIO=4&transport=nothing'],
  async play({ note, origin }) {
    const { Socket } = require('engine.io-client');
    for (const transports of [['polling'], ['websocket']]) {
      const socket = new Socket(origin, { transports });
      await new Promise((resolve) => socket.once('open', resolve));
      socket.send('hello');
      note('message', await new Promise((resolve) => socket.once('message', resolve)));
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.close();
      note('closed', await closed);
    }
  },
};
