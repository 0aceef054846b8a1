'use strict';

const http = require('node:http');
const listen = require('./listen');

/** The second program of the getter study: defines the property once, on the prototype of an object around each request. */
const prototype = {
  get xhr() {
    return (this.raw.headers['x-requested-with'] ?? '').toLowerCase() === 'xmlhttprequest';
  },
};

function handler(raw, res) {
  const req = Object.create(prototype);
  req.raw = raw;
  const body = JSON.stringify({ xhr: req.xhr });
  res.writeHead(200, { 'Content-Length': Buffer.byteLength(body), 'Content-Type': 'application/json' }).end(body);
}

handler.listen = (...where) => http.createServer(handler).listen(...where);
listen(handler);
