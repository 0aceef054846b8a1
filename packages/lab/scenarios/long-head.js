'use strict';

const { peers } = require('../scenario-parts.js');

/** Hello, asked with 8 kB of cookies: node's limit for a head is 16 kB. */
module.exports = {
  name: 'long-head',
  title: 'hello, with 8 kB of cookies',
  request: {
    method: 'GET',
    path: '/',
    headers: { Cookie: Array.from({ length: 100 }, (_, i) => `part-${i}=${'abcdefghij'.repeat(7)}`).join('; ') },
  },
  peers: peers(['node:http', 'Express 5', 'Fastify', 'Nonstop'], { SCENARIO: 'hello' }),
};
