module.exports = {
  wants: ['stoppable', 'express'],
  about: 'stop() during a request and with an idle connection',
  start() {
    const express = require('express');
    const app = express();
    app.get('/', (req, res) => res.send('hello'));
    app.get('/slow', (req, res) => setTimeout(() => res.send('late'), 200));
    const server = require('stoppable')(require('node:http').createServer(app), 2000);
    module.exports.server = server;
    return server;
  },
  async play({ send, note, another }) {
    await send('GET /');
    const answer = another().send('GET /slow');
    await require('node:events').once(module.exports.server, 'request');
    const stopped = new Promise((resolve) =>
      module.exports.server.stop((error, gracefully) => resolve([error ?? null, gracefully])),
    );
    await answer;
    note('stopped', await stopped);
  },
};
