module.exports = {
  wants: ['express-status-monitor', 'express'],
  about: 'its page at /status beside the application',
  clock: 'runs',
  start() {
    const express = require('express');
    const app = express();
    app.use(
      require('express-status-monitor')({ title: 'Status', websocket: { on() {}, emit() {}, sockets: { emit() {} } } }),
    );
    app.get('/', (req, res) => res.send('hello'));
    return app;
  },
  requests: ['GET /', 'GET /status', 'GET /nowhere'],
};
