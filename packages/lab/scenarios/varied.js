'use strict';

const { peers, variedRequest } = require('../scenario-parts.js');

/** No two requests are equal: user agent, cookie, id and path differ, and so does the JSON of the answer. */
module.exports = {
  name: 'varied',
  title: 'requests that differ',
  request: variedRequest('/items/1'),
  load: { varied: true },
  peers: peers(['node:http', 'Express 5', 'Fastify', 'Nonstop']),
};
