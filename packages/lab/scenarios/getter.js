'use strict';

const { asExpressAnswers, peers } = require('../scenario-parts.js');

/** A getter of the request, sent as JSON: the workload in which Express's own performance group looked for costs. */
module.exports = {
  name: 'getter',
  title: 'getter, JSON',
  request: { method: 'GET', path: '/' },
  expected: asExpressAnswers({
    type: 'application/json',
    etag: 'W/"d-GtNDGj0fK0+ya8ugbFHui37XPwI"',
    body: '{"xhr":false}',
  }),
  peers: peers(['node:http', 'Express 5', 'Fastify', 'Nonstop']),
};
