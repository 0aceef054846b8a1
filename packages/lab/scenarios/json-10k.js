'use strict';

const { peers, variedRequest } = require('../scenario-parts.js');

/** 120 entries, converted to JSON for each request; no two answers are equal. */
module.exports = {
  name: 'json-10k',
  title: 'JSON of 10 kB',
  request: variedRequest('/lists/1'),
  load: { varied: true },
  peers: peers(['node:http', 'Express 5', 'Fastify', 'Nonstop'], { SCENARIO: 'list', ENTRIES: '120' }),
};
