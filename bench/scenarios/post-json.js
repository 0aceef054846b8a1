'use strict';

const items = Array.from({ length: 8 }, (_, index) => ({
  id: 1000 + index,
  title: `An entry of a list, number ${index}, with a title of usual length`,
  done: index % 3 === 0,
  tags: ['alpha', 'beta'],
}));
const body = JSON.stringify({ list: 'errands', owner: 'someone@example.org', items });

/** A JSON body of about 1 KB, parsed; the answer proves that it was read. */
module.exports = {
  name: 'post-json',
  title: `POST JSON, ${body.length} bytes`,
  request: { method: 'POST', path: '/lists', headers: { 'Content-Type': 'application/json' }, body },
  expected: {
    status: 200,
    reason: 'OK',
    fields: [
      ['X-Powered-By', 'Express'],
      ['Content-Type', 'application/json; charset=utf-8'],
      ['Content-Length', '40'],
      ['ETag', 'W/"28-24roFEz1KYa8SQ5kxeH50i/82cE"'],
      ['Date', null],
      ['Connection', 'keep-alive'],
      ['Keep-Alive', 'timeout=5'],
    ],
    body: '{"list":"errands","items":8,"last":1007}',
  },
  peers: {
    'node:http': { file: 'node-http.js' },
    'Express 5': { file: 'express.js' },
    Fastify: { file: 'fastify.js', ownFields: true },
    Nonstop: { file: 'nonstop.js' },
  },
};
