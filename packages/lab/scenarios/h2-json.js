'use strict';

const { overHttp2 } = require('../scenario-parts.js');

/** JSON over HTTP/2. */
module.exports = overHttp2('h2-json', require('./json.js'));
