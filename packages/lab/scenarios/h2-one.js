'use strict';

const { peers } = require('../scenario-parts.js');
const hello = require('./hello.js');

const env = { DOOR: 'http2-secure', SCENARIO: 'hello' };

/** Hello over HTTP/2 and TLS, one stream at a time on each connection: beside Nonstop's HTTP/1.1 over TLS, by the same generator. */
module.exports = {
  ...hello,
  name: 'h2-one',
  title: 'hello, HTTP/2 over TLS, one stream at a time',
  load: { streams: 1, secure: true },
  generator: 'h2load',
  needs: ['h2load'],
  peers: {
    ...peers(['node:http2', 'Fastify', 'Nonstop'], env),
    'Nonstop, HTTP/1.1': { file: 'nonstop.js', env: { DOOR: 'https', SCENARIO: 'hello' }, load: { secure: true } },
  },
};
