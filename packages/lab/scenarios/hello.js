'use strict';

const { asExpressAnswers, peers } = require('../scenario-parts.js');

/** The smallest application, with the fields that Express sends by default. */
module.exports = {
  name: 'hello',
  title: 'hello world',
  request: { method: 'GET', path: '/' },
  expected: asExpressAnswers({
    type: 'text/html',
    etag: 'W/"c-Lve95gjOVATpfV8EL5X4nxwjKHE"',
    body: 'Hello World!',
  }),
  peers: peers(['node:http', 'Express 5', 'Fastify', 'Nonstop']),
};
