'use strict';

const { peers } = require('../scenario-parts.js');

/** hello over TLS with a new connection for each request, whose handshake resumes the session of the one before. */
module.exports = {
  name: 'https-resumed',
  title: 'https, a resumed session each',
  request: { method: 'GET', path: '/' },
  load: { secure: true, keepAlive: false },
  generator: 'tls-sessions',
  peers: peers(['node:http', 'Express 5', 'Fastify', 'Nonstop'], { DOOR: 'https', SCENARIO: 'hello' }),
};
