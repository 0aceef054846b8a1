'use strict';

const { of4 } = require('../scenario-parts.js');

/** With the floor beside it: what a server of node's sockets takes that reads nothing. */
module.exports = of4(require('./hello.js'), { 'a constant on net': { file: 'net-constant.js', ownFields: true } });
