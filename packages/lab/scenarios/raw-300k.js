'use strict';

const { peers } = require('../scenario-parts.js');

/** A body of 300 kB for a body parser: several reads of the connection. */
module.exports = {
  name: 'raw-300k',
  title: 'express.raw, a body of 300 kB',
  request: {
    method: 'POST',
    path: '/',
    headers: { 'Content-Type': 'application/octet-stream' },
    body: 'x'.repeat(300_000),
  },
  peers: { ...peers(['node:http'], { SCENARIO: 'receive' }), ...peers(['Express 5', 'Nonstop']) },
};
