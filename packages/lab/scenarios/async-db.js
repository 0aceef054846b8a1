'use strict';

const { peers, variedRequest } = require('../scenario-parts.js');

/** Two async middleware, three awaits of one turn each as with a database, and an error for every tenth order, which an error handler answers. */
module.exports = {
  name: 'async-db',
  title: 'three awaits, async middleware, errors',
  request: variedRequest('/orders/1'),
  load: { varied: true },
  peers: peers(['node:http', 'Express 5', 'Fastify', 'Nonstop']),
};
