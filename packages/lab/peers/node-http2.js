'use strict';

const crypto = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const listen = require('./listen');

/** The scenarios over HTTP/2 by hand, on the compatibility API of node:http2: as node-http.js, in that API's cheapest form. */
const handlers = {
  hello(req, res) {
    if (req.method !== 'GET' || req.url !== '/') return notFound(res);
    // The body never changes, so a hand would write its tag down.
    const fields = { 'x-powered-by': 'Express', 'content-type': 'text/html; charset=utf-8', 'content-length': 12 };
    fields.etag = 'W/"c-Lve95gjOVATpfV8EL5X4nxwjKHE"';
    res.writeHead(200, fields);
    res.end('Hello World!');
  },

  json(req, res) {
    if (req.method !== 'GET' || req.url !== '/json') return notFound(res);
    sendJson(res, { message: 'Hello, World!' });
  },

  'post-json'(req, res) {
    if (req.method !== 'POST' || req.url !== '/lists') return notFound(res);
    const chunks = [];
    req.on('data', (chunk) => chunks.push(chunk));
    req.on('end', () => {
      let body;
      try {
        body = JSON.parse(Buffer.concat(chunks).toString());
      } catch {
        // A body whose stream was reset ends here too: the generator gives up what is under way when its time is over.
        res.writeHead(400);
        res.end();
        return;
      }
      const { list, items } = body;
      sendJson(res, { list, items: items.length, last: items.at(-1).id });
    });
  },

  static(req, res) {
    if (req.method !== 'GET' || req.url !== '/style.css') return notFound(res);
    fs.stat(stylesheet, (missing, stat) => {
      if (missing) return notFound(res);
      fs.readFile(stylesheet, (error, body) => {
        if (error) return notFound(res);
        res.writeHead(200, {
          'x-powered-by': 'Express',
          'accept-ranges': 'bytes',
          'cache-control': 'public, max-age=0',
          'last-modified': stat.mtime.toUTCString(),
          etag: `W/"${stat.size.toString(16)}-${stat.mtime.getTime().toString(16)}"`,
          'content-type': 'text/css; charset=utf-8',
          'content-length': body.length,
        });
        res.end(body);
      });
    });
  },
};

const stylesheet = path.join(__dirname, 'files', 'style.css');

function sendJson(res, value) {
  const body = JSON.stringify(value);
  const size = Buffer.byteLength(body);
  res.writeHead(200, {
    'x-powered-by': 'Express',
    'content-type': 'application/json; charset=utf-8',
    'content-length': size,
    etag: `W/"${size.toString(16)}-${crypto.hash('sha1', body, 'base64').slice(0, 27)}"`,
  });
  res.end(body);
}

function notFound(res) {
  res.writeHead(404);
  res.end();
}

listen(handlers[process.env.SCENARIO]);
