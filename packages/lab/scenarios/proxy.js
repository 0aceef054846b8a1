'use strict';

const { peers, variedRequest } = require('../scenario-parts.js');

const env = { DOOR: 'proxied', SCENARIO: 'varied' };

/**
 * A server of `http.createServer(app)` behind a proxy that opens two connections to it before the first request, and sends the requests
 * of all clients over them. The proxy is a separate process whose time is not counted.
 */
module.exports = {
  name: 'proxy',
  title: 'requests that differ, over two connections of a proxy',
  request: variedRequest('/items/1'),
  load: { varied: true },
  peers: peers(['node:http', 'Express 5', 'Nonstop'], env),
};
