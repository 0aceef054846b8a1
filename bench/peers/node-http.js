'use strict';

const crypto = require('node:crypto');
const http = require('node:http');
const announce = require('./announce');

/**
 * The scenarios by hand on bare node:http, with the fields and bytes that Express sends and as little else as possible:
 * one `writeHead` with a flat list (node's cheapest form), one `end`, no check that a careful hand would leave out.
 */
const handlers = {
  hello(req, res) {
    if (req.method !== 'GET' || req.url !== '/') return notFound(res);
    // The body never changes, so a hand would write its tag down: the hardest form for a framework to beat.
    const fields = ['X-Powered-By', 'Express', 'Content-Type', 'text/html; charset=utf-8', 'Content-Length', '12'];
    fields.push('ETag', 'W/"c-Lve95gjOVATpfV8EL5X4nxwjKHE"');
    res.writeHead(200, fields);
    res.end('Hello World!');
  },

  echo(req, res) {
    if (req.method !== 'GET' || !req.url.startsWith('/echo/')) return notFound(res);
    send(res, 'text/plain; charset=utf-8', decodeURIComponent(req.url.slice('/echo/'.length)));
  },

  json(req, res) {
    if (req.method !== 'GET' || req.url !== '/json') return notFound(res);
    send(res, 'application/json; charset=utf-8', JSON.stringify({ message: 'Hello, World!' }));
  },

  'post-json'(req, res) {
    if (req.method !== 'POST' || req.url !== '/lists') return notFound(res);
    const chunks = [];
    req.on('data', (chunk) => chunks.push(chunk));
    req.on('end', () => {
      const { list, items } = JSON.parse(Buffer.concat(chunks).toString());
      const answer = { list, items: items.length, last: items.at(-1).id };
      send(res, 'application/json; charset=utf-8', JSON.stringify(answer));
    });
  },
};

function send(res, type, body) {
  const length = Buffer.byteLength(body);
  const hash = crypto.hash('sha1', body, 'base64').slice(0, 27);
  const fields = ['X-Powered-By', 'Express', 'Content-Type', type, 'Content-Length', String(length)];
  fields.push('ETag', `W/"${length.toString(16)}-${hash}"`);
  res.writeHead(200, fields);
  res.end(body);
}

function notFound(res) {
  res.writeHead(404).end();
}

const { SCENARIO, PORT } = process.env;

announce(http.createServer(handlers[SCENARIO]).listen(Number(PORT), '127.0.0.1'));
