'use strict';

const http = require('node:http');
const path = require('node:path');
const announce = require('./announce');

const { PORT, DOOR = 'listen', METRICS, NONSTOP } = process.env;

const doors = {
  listen: (app) => app.listen(Number(PORT), '127.0.0.1'),
  reusePort: (app) => app.listen({ port: Number(PORT), host: '127.0.0.1', reusePort: true }),
  // Behind a proxy with two connections, which runs in its own process.
  proxied: (app) => require('./proxied')(http.createServer(app)),
  createServer: (app) => http.createServer(app).listen(Number(PORT), '127.0.0.1'),
  // As socket.io does it: its own listener comes first, and calls the application for what is not its own.
  inFront: (app) => {
    const server = http.createServer(app);
    const [behind] = server.listeners('request');
    server.removeAllListeners('request');
    server.on('request', (req, res) => void behind.call(server, req, res));
    return server.listen(Number(PORT), '127.0.0.1');
  },
  // Loaded for it alone: TLS would be in the memory of every other server as well.
  http2: (app) => require('node:http2').createServer(app).listen(Number(PORT), '127.0.0.1'),
  'http2-secure': (app) =>
    require('node:http2')
      .createSecureServer({ ...require('./certificate'), allowHTTP1: true }, app)
      .listen(Number(PORT), '127.0.0.1'),
  https: (app) => require('node:https').createServer(require('./certificate'), app).listen(Number(PORT), '127.0.0.1'),
};

/**
 * Serves an application by the door that DOOR names: its own `listen`, alone at its port or one of several processes, or a server of the
 * user's, of HTTP/1.1 or HTTP/2, without or with TLS; or by serve() of nonstop/production, with metrics if METRICS is set.
 * @param app a function of request and response; with a `listen` of its own when DOOR is `listen` or `reusePort`
 */
module.exports = (app) => {
  if (DOOR !== 'serve') return announce(doors[DOOR](app));
  const health = METRICS === undefined ? {} : { healthPort: 0, metrics: true };
  // Signals stay with the lab, which ends its servers. A rejection ends the process with its reason.
  const options = { port: Number(PORT), host: '127.0.0.1', signals: false, ...health };
  // Of the build that the application is of.
  const production = NONSTOP === undefined ? 'nonstop/production' : path.join(path.dirname(NONSTOP), 'production.js');
  void require(production)
    .serve(app, options)
    .then(({ server }) => announce(server));
};
