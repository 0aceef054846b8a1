'use strict';

const env = { DOOR: 'https', SCENARIO: 'hello' };

/** Hello over TLS, on connections that stay. */
module.exports = {
  name: 'https',
  title: 'hello, https',
  request: { method: 'GET', path: '/' },
  load: { secure: true },
  peers: {
    'node:http': { file: 'node-http.js', env },
    'Express 5': { file: 'express.js', env },
    Fastify: { file: 'fastify.js', env, ownFields: true },
    Nonstop: { file: 'nonstop.js', env },
  },
};
