'use strict';

const path = require('node:path');
const { of4 } = require('../scenario-parts.js');

const byHand = { file: 'node-http.js', env: { SCENARIO: 'hello' } };

/**
 * Beside it are the parts below a framework: the same answer by hand on node:http and on the engine, and a server of node's sockets that
 * parses nothing and sends a constant, which is the lower bound.
 */
module.exports = of4(require('./hello.js'), {
  'node:http': byHand,
  'the engine by hand': {
    ...byHand,
    nodeOptions: ['--require', path.join(__dirname, '..', 'peers', 'on-engine.js')],
  },
  'a constant on net': { file: 'net-constant.js', ownFields: true },
});
