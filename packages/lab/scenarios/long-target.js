'use strict';

const { peers } = require('../scenario-parts.js');

/** A target of 2 kB, as after a login with SAML or OAuth. */
module.exports = {
  name: 'long-target',
  title: 'a target of 2 kB',
  request: { method: 'GET', path: `/callback?SAMLResponse=${'PHNhbWxwOlJlc3BvbnNl'.repeat(100)}&RelayState=1` },
  peers: peers(['node:http', 'Express 5', 'Nonstop']),
};
