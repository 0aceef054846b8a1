'use strict';

const { peers, variedRequest } = require('../scenario-parts.js');

/** As varied, after an await of one turn of the event loop, as in an application that queries a database. */
module.exports = {
  name: 'async',
  title: 'requests that differ, behind an await',
  request: variedRequest('/items/1'),
  load: { varied: true },
  peers: peers(['node:http', 'Express 5', 'Fastify', 'Nonstop']),
};
