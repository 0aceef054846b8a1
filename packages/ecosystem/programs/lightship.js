module.exports = {
  wants: ['lightship', 'express'],
  about: 'readiness, a shutdown with its handlers',
  async start({ note }) {
    const express = require('express');
    const { createLightship } = await import('lightship');
    const lightship = await createLightship({
      port: 0,
      detectKubernetes: false,
      terminate: () => note('terminate', 1),
      signals: [],
    });
    const app = express();
    app.get('/', (req, res) => res.send(lightship.isServerReady() ? 'ready' : 'not ready'));
    const server = app.listen(0, '127.0.0.1');
    await require('node:events').once(server, 'listening');
    lightship.registerShutdownHandler(() => note('shut down', 1));
    lightship.signalReady();
    module.exports.lightship = lightship;
    return server;
  },
  async play({ send, note }) {
    await send('GET /');
    await module.exports.lightship.shutdown();
    note('after', module.exports.lightship.isServerShuttingDown());
    await send('GET /');
  },
};
