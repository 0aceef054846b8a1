'use strict';

const { overHttp2 } = require('../scenario-parts.js');

/** A style sheet of 10,000 bytes over HTTP/2. Fastify needs a package for files, which is not installed here. */
module.exports = overHttp2('h2-file-10k', require('./static.js'), ['node:http2', 'Nonstop']);
