'use strict';

const onHeaders = require('on-headers');
const announce = require('../announce');

/** Without these fields a browser gives a frame a clock that steps by 100 µs; with them and the page's own by 5. */
const isolation = [
  ['Cross-Origin-Embedder-Policy', 'require-corp'],
  ['Cross-Origin-Resource-Policy', 'cross-origin'],
];

/**
 * Times every request inside the server and says on stdout where it listens.
 *
 * The clock starts when the server gives a request to the framework and stops when the head of the answer is about to be
 * written, the body being ready: the same two places for every framework, whatever its own hooks leave out.
 *
 * @param {import('node:http').Server} server of the framework, before it listens
 */
module.exports = function serve(server) {
  server.prependListener('request', (req, res) => {
    const started = performance.now();
    onHeaders(res, () => {
      res.setHeader('Server-Timing', `app;dur=${(performance.now() - started).toFixed(3)}`);
      if (req.url === '/runner') for (const [name, value] of isolation) res.setHeader(name, value);
    });
  });
  announce(server);
  return server;
};
