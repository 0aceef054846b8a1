'use strict';

const http = require('node:http');
const listen = require('./listen');

/**
 * The studies on bare node:http, as written for a comparison with a framework: only the answer.
 * With the length, as in the example of `writeHead` in node's documentation: without one, node closes the connection of an
 * HTTP/1.0 client such as `ab`, and every request would need a new connection.
 */
function answer(res, type, body) {
  res.writeHead(200, { 'Content-Length': Buffer.byteLength(body), 'Content-Type': type }).end(body);
}

const handlers = {
  hello: (req, res) => answer(res, 'text/html; charset=utf-8', 'Hello World!'),

  echo: (req, res) => answer(res, 'text/plain', decodeURIComponent(req.url.slice('/echo/'.length))),

  'query-api'(req, res) {
    const { pathname, searchParams } = new URL(req.url, 'http://localhost');
    if (pathname !== '/api') return res.writeHead(404).end();
    const body = { name: searchParams.get('name'), lastname: searchParams.get('lastname') };
    answer(res, 'application/json', JSON.stringify(body));
  },

  getter(req, res) {
    const xhr = (req.headers['x-requested-with'] ?? '').toLowerCase() === 'xmlhttprequest';
    answer(res, 'application/json', JSON.stringify({ xhr }));
  },
};

const handler = handlers[process.env.SCENARIO];
handler.listen = (...where) => http.createServer(handler).listen(...where);
listen(handler);
