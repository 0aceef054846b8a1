'use strict';

const { peers } = require('../scenario-parts.js');

/** A script of 300,000 bytes: more than is kept in memory, and than one read of the file. */
module.exports = {
  name: 'file-300k',
  title: 'express.static, 300 kB',
  request: { method: 'GET', path: '/app.js' },
  peers: peers(['node:http', 'Express 5', 'Nonstop']),
};
