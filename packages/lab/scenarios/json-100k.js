'use strict';

const { peers, variedRequest } = require('../scenario-parts.js');

/** As json-10k with 1,200 entries. */
module.exports = {
  name: 'json-100k',
  title: 'JSON of 100 kB',
  request: variedRequest('/lists/1'),
  load: { varied: true },
  peers: peers(['node:http', 'Express 5', 'Fastify', 'Nonstop'], { SCENARIO: 'list', ENTRIES: '1200' }),
};
