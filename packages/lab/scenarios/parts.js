'use strict';

const { peers } = require('../scenario-parts.js');

/** Two calls of `write()` and one of `end()`, without a length, as in streamed templates and server-sent events. */
module.exports = {
  name: 'parts',
  title: 'an answer in three parts',
  request: { method: 'GET', path: '/' },
  peers: peers(['node:http', 'Express 5', 'Nonstop']),
};
