'use strict';

const { peers } = require('../scenario-parts.js');

/** A page of ten users from an ejs template, which is cached, as in production. */
module.exports = {
  name: 'view',
  title: 'ejs view',
  request: { method: 'GET', path: '/' },
  peers: peers(['Express 5', 'Nonstop']),
};
