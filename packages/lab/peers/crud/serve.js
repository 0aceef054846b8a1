'use strict';

const onHeaders = require('on-headers');
const announce = require('../announce');

/** Without these fields a browser gives a frame a clock with a resolution of 100 µs; with them and the page's own fields, 5 µs. */
const isolation = [
  ['Cross-Origin-Embedder-Policy', 'require-corp'],
  ['Cross-Origin-Resource-Policy', 'cross-origin'],
];

/**
 * Times every request inside the server and prints the address on which it listens.
 *
 * The clock starts when the server passes a request to the framework and stops just before the head of the answer is
 * written, when the body is ready: the same two places for every framework, independent of its own hooks.
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
