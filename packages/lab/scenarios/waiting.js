'use strict';

const { peers } = require('../scenario-parts.js');

/** How many handlers of other requests wait for a query; the board opens those requests. */
module.exports = {
  name: 'waiting',
  title: 'the number of requests that wait',
  request: { method: 'GET', path: '/waiting' },
  peers: peers(['node:http', 'Express 5', 'Nonstop']),
};
