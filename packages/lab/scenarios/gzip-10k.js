'use strict';

const { peers, variedRequest } = require('../scenario-parts.js');

const request = variedRequest('/lists/1');

/** As json-10k, compressed by the package compression; by hand with a stream of node's zlib. */
module.exports = {
  name: 'gzip-10k',
  title: 'JSON of 10 kB, compressed',
  request: { ...request, headers: { ...request.headers, 'Accept-Encoding': 'gzip' } },
  load: { varied: true },
  peers: peers(['node:http', 'Express 5', 'Nonstop'], { SCENARIO: 'gzip', ENTRIES: '120' }),
};
