'use strict';

const { peers } = require('../scenario-parts.js');

/** Two calls of `write()` and one of `end()`, of unknown length: what templates that stream and server-sent events do. */
module.exports = {
  name: 'parts',
  title: 'an answer in three parts',
  request: { method: 'GET', path: '/' },
  peers: peers(['node:http', 'Express 5', 'Nonstop']),
};
