'use strict';

const { asExpressAnswers, peers } = require('../scenario-parts.js');

/** A small object, created for each request and sent as JSON. */
module.exports = {
  name: 'json',
  title: 'JSON answer',
  request: { method: 'GET', path: '/json' },
  expected: asExpressAnswers({
    type: 'application/json',
    etag: 'W/"1b-9u68i8s9Wl4qBrhqdi8s7jmwKho"',
    body: '{"message":"Hello, World!"}',
  }),
  peers: peers(['node:http', 'Express 5', 'Nonstop']),
};
