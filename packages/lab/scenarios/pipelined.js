'use strict';

const { peers } = require('../scenario-parts.js');

const env = { SCENARIO: 'hello' };

/** Sixteen requests at a time on each connection, answered in order. */
module.exports = {
  name: 'pipelined',
  title: 'hello, pipelined 16 deep',
  request: { method: 'GET', path: '/' },
  load: { pipeline: 16 },
  peers: peers(['node:http', 'Express 5', 'Fastify', 'Nonstop'], env),
};
