'use strict';

const { overHttp2 } = require('../scenario-parts.js');

/** Hello over HTTP/2. */
module.exports = overHttp2('h2-hello', require('./hello.js'));
