'use strict';

const { peers } = require('../scenario-parts.js');

/** hello over TLS with a new connection and a full handshake for each request. The generators do not resume sessions; https-resumed has a client that does. */
module.exports = {
  name: 'https-new',
  title: 'https, a handshake each',
  request: { method: 'GET', path: '/' },
  load: { secure: true, keepAlive: false },
  peers: peers(['node:http', 'Express 5', 'Fastify', 'Nonstop'], { DOOR: 'https', SCENARIO: 'hello' }),
};
