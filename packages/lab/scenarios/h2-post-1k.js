'use strict';

const { overHttp2 } = require('../scenario-parts.js');

/** A JSON body of about 1 KB over HTTP/2, parsed. */
module.exports = overHttp2('h2-post-1k', require('./post-json.js'));
