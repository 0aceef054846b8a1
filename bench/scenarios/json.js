'use strict';

/** A small object, made for each request and sent as JSON. */
module.exports = {
  name: 'json',
  title: 'JSON answer',
  request: { method: 'GET', path: '/json' },
  expected: {
    status: 200,
    reason: 'OK',
    fields: [
      ['X-Powered-By', 'Express'],
      ['Content-Type', 'application/json; charset=utf-8'],
      ['Content-Length', '27'],
      ['ETag', 'W/"1b-9u68i8s9Wl4qBrhqdi8s7jmwKho"'],
      ['Date', null],
      ['Connection', 'keep-alive'],
      ['Keep-Alive', 'timeout=5'],
    ],
    body: '{"message":"Hello, World!"}',
  },
  peers: {
    'node:http': { file: 'node-http.js' },
    'Express 5': { file: 'express.js' },
    Nonstop: { file: 'nonstop.js' },
  },
};
