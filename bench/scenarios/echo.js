'use strict';

/** A parameter from the path, sent back as plain text: the workload of restify's comparison with Express. */
module.exports = {
  name: 'echo',
  title: 'echo /echo/:name',
  request: { method: 'GET', path: '/echo/world' },
  expected: {
    status: 200,
    reason: 'OK',
    fields: [
      ['X-Powered-By', 'Express'],
      ['Content-Type', 'text/plain; charset=utf-8'],
      ['Content-Length', '5'],
      ['ETag', 'W/"5-fCEUM/AgcVl3Qeb/Wo6jR4mrv0M"'],
      ['Date', null],
      ['Connection', 'keep-alive'],
      ['Keep-Alive', 'timeout=5'],
    ],
    body: 'world',
  },
  peers: {
    'node:http': { file: 'node-http.js' },
    'Express 5': { file: 'express.js' },
    Fastify: { file: 'fastify.js', ownFields: true },
    Nonstop: { file: 'nonstop.js' },
  },
};
