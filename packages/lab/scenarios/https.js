'use strict';

const { peers } = require('../scenario-parts.js');

const env = { DOOR: 'https', SCENARIO: 'hello' };

/** hello over TLS, with keep-alive. */
module.exports = {
  name: 'https',
  title: 'hello, https',
  request: { method: 'GET', path: '/' },
  load: { secure: true },
  peers: peers(['node:http', 'Express 5', 'Fastify', 'Nonstop'], env),
};
