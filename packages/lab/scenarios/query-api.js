'use strict';

const { peers } = require('../scenario-parts.js');

/** Two query parameters sent back as JSON, each request on a new connection: a published comparison of Express with bare node:http. */
module.exports = {
  name: 'query-api',
  title: 'query API, no keep-alive',
  request: { method: 'GET', path: '/api?name=Ada&lastname=Lovelace' },
  load: { keepAlive: false },
  expected: {
    status: 200,
    reason: 'OK',
    fields: [
      ['Content-Type', 'application/json; charset=utf-8'],
      ['Content-Length', '36'],
      ['ETag', 'W/"24-22bTc1bWCV2oScnQG3aMrOL7fCo"'],
      ['Date', null],
      ['Connection', 'close'],
    ],
    body: '{"name":"Ada","lastname":"Lovelace"}',
  },
  peers: peers(['node:http', 'Express 5', 'Fastify', 'Nonstop']),
};
