'use strict';

const env = { SCENARIO: 'hello' };

/** Sixteen requests at a time on each connection, answered in order. */
module.exports = {
  name: 'pipelined',
  title: 'hello, pipelined 16 deep',
  request: { method: 'GET', path: '/' },
  load: { pipeline: 16 },
  peers: {
    'node:http': { file: 'node-http.js', env },
    'Express 5': { file: 'express.js', env },
    Fastify: { file: 'fastify.js', env, ownFields: true },
    Nonstop: { file: 'nonstop.js', env },
  },
};
