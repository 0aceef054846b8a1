module.exports = {
  wants: ['@godaddy/terminus', 'express'],
  about: 'health checks that pass and fail, a shutdown by signal',
  start({ note }) {
    const express = require('express');
    const http = require('node:http');
    const { createTerminus, HealthCheckError } = require('@godaddy/terminus');
    const app = express();
    app.get('/', (req, res) => res.send('hello'));
    const server = http.createServer(app);
    createTerminus(server, {
      signal: 'SIGUSR2',
      useExit0: true,
      timeout: 500,
      healthChecks: {
        '/health': async () => ({ fine: true }),
        '/broken': async () => Promise.reject(new HealthCheckError('failed', [new Error('no database')])),
        verbatim: true,
        __unsafeExposeStackTraces: false,
      },
      caseInsensitive: true,
      onSignal: async () => note('onSignal', 1),
      beforeShutdown: async () => note('beforeShutdown', 1),
      onShutdown: async () => note('onShutdown', 1),
      logger: (message) => note('log', message),
    });
    return server;
  },
  requests: ['GET /', 'GET /health', 'GET /HEALTH', 'GET /broken', 'GET /nowhere'],
};
