'use strict';

/** The smallest application there is, with the fields Express sends by default. */
module.exports = {
  name: 'hello',
  title: 'hello world',
  request: { method: 'GET', path: '/' },
  expected: {
    status: 200,
    reason: 'OK',
    fields: [
      ['X-Powered-By', 'Express'],
      ['Content-Type', 'text/html; charset=utf-8'],
      ['Content-Length', '12'],
      ['ETag', 'W/"c-Lve95gjOVATpfV8EL5X4nxwjKHE"'],
      ['Date', null],
      ['Connection', 'keep-alive'],
      ['Keep-Alive', 'timeout=5'],
    ],
    body: 'Hello World!',
  },
  peers: {
    'node:http': { file: 'node-http.js' },
    'Express 5': { file: 'express.js' },
    Fastify: { file: 'fastify.js', ownFields: true },
    Nonstop: { file: 'nonstop.js' },
  },
};
