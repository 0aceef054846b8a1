'use strict';

const { asExpressAnswers, peers } = require('../scenario-parts.js');

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
  expected: asExpressAnswers({
    type: 'application/json',
    etag: 'W/"28-24roFEz1KYa8SQ5kxeH50i/82cE"',
    body: '{"list":"errands","items":8,"last":1007}',
  }),
  peers: peers(['node:http', 'Express 5', 'Fastify', 'Nonstop']),
};
