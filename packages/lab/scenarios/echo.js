'use strict';

const { asExpressAnswers, peers } = require('../scenario-parts.js');

/** A parameter from the path, sent back as plain text: the workload of restify's comparison with Express. */
module.exports = {
  name: 'echo',
  title: 'echo /echo/:name',
  request: { method: 'GET', path: '/echo/world' },
  expected: asExpressAnswers({
    type: 'text/plain',
    etag: 'W/"5-fCEUM/AgcVl3Qeb/Wo6jR4mrv0M"',
    body: 'world',
  }),
  peers: peers(['node:http', 'Express 5', 'Fastify', 'Nonstop']),
};
