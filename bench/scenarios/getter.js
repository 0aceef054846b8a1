'use strict';

/** A getter of the request, sent as JSON: the workload in which Express's own performance group looked for its costs. */
module.exports = {
  name: 'getter',
  title: 'getter, JSON',
  request: { method: 'GET', path: '/' },
  expected: {
    status: 200,
    reason: 'OK',
    fields: [
      ['X-Powered-By', 'Express'],
      ['Content-Type', 'application/json; charset=utf-8'],
      ['Content-Length', '13'],
      ['ETag', 'W/"d-GtNDGj0fK0+ya8ugbFHui37XPwI"'],
      ['Date', null],
      ['Connection', 'keep-alive'],
      ['Keep-Alive', 'timeout=5'],
    ],
    body: '{"xhr":false}',
  },
  peers: {
    'node:http': { file: 'node-http.js' },
    'Express 5': { file: 'express.js' },
    Fastify: { file: 'fastify.js', ownFields: true },
    Nonstop: { file: 'nonstop.js' },
  },
};
