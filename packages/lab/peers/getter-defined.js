'use strict';

const http = require('node:http');
const listen = require('./listen');

/** The first program of the getter study: defines the property on each request. */
function handler(req, res) {
  Object.defineProperty(req, 'xhr', {
    configurable: true,
    enumerable: true,
    get() {
      return (this.headers['x-requested-with'] ?? '').toLowerCase() === 'xmlhttprequest';
    },
  });
  const body = JSON.stringify({ xhr: req.xhr });
  res.writeHead(200, { 'Content-Length': Buffer.byteLength(body), 'Content-Type': 'application/json' }).end(body);
}

handler.listen = (...where) => http.createServer(handler).listen(...where);
listen(handler);
