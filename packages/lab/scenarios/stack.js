'use strict';

const { peers } = require('../scenario-parts.js');

const headers = {
  Accept: 'application/json',
  'Accept-Encoding': 'gzip, deflate, br',
  Cookie: 'visitor=4711',
  Origin: 'http://localhost',
};

/** helmet, cors, cookie-parser, express-session, compression and morgan around an answer that is too small to compress. */
module.exports = {
  name: 'stack',
  title: 'middleware stack',
  request: { method: 'GET', path: '/account', headers },
  peers: peers(['node:http', 'Express 5', 'Nonstop']),
};
