'use strict';

const http = require('node:http');
const listen = require('./listen');

/** The studies on bare node:http as somebody would write them who compares it with a framework: nothing but the answer. */
const handlers = {
  hello(req, res) {
    res.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
    res.end('Hello World!');
  },

  echo(req, res) {
    res.writeHead(200, { 'Content-Type': 'text/plain' });
    res.end(decodeURIComponent(req.url.slice('/echo/'.length)));
  },

  'query-api'(req, res) {
    const { pathname, searchParams } = new URL(req.url, 'http://localhost');
    if (pathname !== '/api') return res.writeHead(404).end();
    res.writeHead(200, { 'Content-Type': 'application/json' });
    res.end(JSON.stringify({ name: searchParams.get('name'), lastname: searchParams.get('lastname') }));
  },

  getter(req, res) {
    const xhr = (req.headers['x-requested-with'] ?? '').toLowerCase() === 'xmlhttprequest';
    res.writeHead(200, { 'Content-Type': 'application/json' });
    res.end(JSON.stringify({ xhr }));
  },
};

const handler = handlers[process.env.SCENARIO];
handler.listen = (...where) => http.createServer(handler).listen(...where);
listen(handler);
