'use strict';

const { peers } = require('../scenario-parts.js');

const headers = {
  Accept: 'application/json',
  'Accept-Encoding': 'gzip',
  Cookie: 'visitor=4711',
  Origin: 'http://localhost',
};

const env = { SCENARIO: 'stack' };

/** The same middleware with a list of 5 KB, which is compressed: zlib takes most of the time. */
module.exports = {
  name: 'stack-gzip',
  title: 'middleware stack, 5 KB compressed',
  request: { method: 'GET', path: '/entries', headers },
  peers: peers(['node:http', 'Express 5', 'Nonstop'], env),
};
