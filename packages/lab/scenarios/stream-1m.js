'use strict';

const { peers } = require('../scenario-parts.js');

/** 1 MB in parts of 64 kB, piped from a stream to the response. */
module.exports = {
  name: 'stream-1m',
  title: 'a stream of 1 MB, piped',
  request: { method: 'GET', path: '/' },
  peers: peers(['node:http', 'Express 5', 'Nonstop']),
};
