'use strict';

const { peers } = require('../scenario-parts.js');

const env = { SCENARIO: 'middleware' };

/** Twenty functions that call `next()`, then the answer. */
module.exports = {
  name: 'middleware-20',
  title: '20 middleware',
  request: { method: 'GET', path: '/' },
  peers: peers(['node:http', 'Express 5', 'Nonstop'], env),
};
