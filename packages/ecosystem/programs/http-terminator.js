module.exports = {
  wants: ['http-terminator', 'express'],
  about: 'terminate() during an answer and with an idle connection',
  start() {
    const express = require('express');
    const app = express();
    app.get('/', (req, res) => res.send('hello'));
    app.get('/slow', (req, res) => setTimeout(() => res.send('late'), 200));
    const server = require('node:http').createServer(app);
    module.exports.terminator = require('http-terminator').createHttpTerminator({
      server,
      gracefulTerminationTimeout: 2000,
    });
    module.exports.server = server;
    return server;
  },
  async play({ send, note, another }) {
    await send('GET /');
    const slow = another();
    const answer = slow.send('GET /slow');
    await require('node:events').once(module.exports.server, 'request');
    await Promise.all([answer, module.exports.terminator.terminate()]);
    note('listening', module.exports.server.listening);
  },
};
