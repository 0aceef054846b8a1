'use strict';

const env = { SCENARIO: 'middleware' };

/** Twenty functions that call `next()`, then the answer. */
module.exports = {
  name: 'middleware-20',
  title: '20 middleware',
  request: { method: 'GET', path: '/' },
  peers: {
    'node:http': { file: 'node-http.js', env },
    'Express 5': { file: 'express.js', env },
    Nonstop: { file: 'nonstop.js', env },
  },
};
