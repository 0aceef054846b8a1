'use strict';

const fs = require('node:fs');
const http = require('node:http');
const path = require('node:path');
const listen = require('./listen');
const { fetched, listOf, megabyte, orderOf, queried, tableOf, waiting } = require('./work');

/**
 * The scenarios written by hand on bare node:http, with the fields and bytes that Express sends and as little else as possible:
 * one `writeHead` with a flat list (node's cheapest form), one `end`, and only the checks that a careful author would write.
 */
const handlers = {
  hello(req, res) {
    if (req.method !== 'GET' || req.url !== '/') return notFound(res);
    // The body never changes, so its tag is a constant: the hardest form for a framework to beat.
    const fields = ['X-Powered-By', 'Express', 'Content-Type', 'text/html; charset=utf-8', 'Content-Length', '12'];
    fields.push('ETag', 'W/"c-Lve95gjOVATpfV8EL5X4nxwjKHE"');
    res.writeHead(200, fields);
    res.end('Hello World!');
  },

  echo(req, res) {
    if (req.method !== 'GET' || !req.url.startsWith('/echo/')) return notFound(res);
    send(res, 'text/plain; charset=utf-8', decodeURIComponent(req.url.slice('/echo/'.length)));
  },

  'query-api'(req, res) {
    const mark = req.url.indexOf('?');
    if (req.method !== 'GET' || req.url.slice(0, mark) !== '/api') return notFound(res);
    const query = new URLSearchParams(req.url.slice(mark + 1));
    const body = JSON.stringify({ name: query.get('name'), lastname: query.get('lastname') });
    const fields = [
      'Content-Type',
      'application/json; charset=utf-8',
      'Content-Length',
      String(Buffer.byteLength(body)),
    ];
    fields.push('ETag', tag(body));
    res.writeHead(200, fields);
    res.end(body);
  },

  varied(req, res) {
    if (req.method !== 'GET' || !req.url.startsWith('/items/')) return notFound(res);
    sendItem(req, res);
  },

  async async(req, res) {
    if (req.method !== 'GET' || !req.url.startsWith('/items/')) return notFound(res);
    await new Promise((resolve) => setImmediate(resolve));
    sendItem(req, res);
  },

  async waiting(req, res) {
    const json = 'application/json; charset=utf-8';
    if (req.method === 'GET' && req.url === '/waiting') {
      return send(res, json, JSON.stringify({ waiting: waiting() }));
    }
    if (req.method !== 'GET' || !req.url.startsWith('/items/')) return notFound(res);
    await queried();
    const id = decodeURIComponent(req.url.slice('/items/'.length));
    send(res, json, JSON.stringify({ id, agent: req.headers['user-agent'], name: `item ${id}`, tags: ['a', 'b'] }));
  },

  async 'async-db'(req, res) {
    const user = await fetched('Ada');
    const rights = await fetched(['read', 'write']);
    if (req.method !== 'GET' || !req.url.startsWith('/orders/')) return notFound(res);
    await fetched();
    let answer;
    try {
      answer = { user, rights, order: orderOf(decodeURIComponent(req.url.slice('/orders/'.length))) };
    } catch (error) {
      answer = { error: error.message };
    }
    send(res, 'application/json; charset=utf-8', JSON.stringify(answer));
  },

  list(req, res) {
    if (req.method !== 'GET' || !req.url.startsWith('/lists/')) return notFound(res);
    const list = listOf(decodeURIComponent(req.url.slice('/lists/'.length)));
    send(res, 'application/json; charset=utf-8', JSON.stringify(list));
  },

  gzip(req, res) {
    if (req.method !== 'GET' || !req.url.startsWith('/lists/')) return notFound(res);
    const body = JSON.stringify(listOf(decodeURIComponent(req.url.slice('/lists/'.length))));
    const fields = ['X-Powered-By', 'Express', 'Content-Type', 'application/json; charset=utf-8', 'ETag', tag(body)];
    fields.push('Vary', 'Accept-Encoding');
    if (!/\bgzip\b/.test(req.headers['accept-encoding'])) {
      res.writeHead(200, fields);
      res.end(body);
      return;
    }
    fields.push('Content-Encoding', 'gzip');
    res.writeHead(200, fields);
    // Loaded for this scenario alone: in the others it would add to the compared memory.
    const gzip = require('node:zlib').createGzip();
    gzip.pipe(res);
    gzip.end(body);
  },

  'ejs-table'(req, res) {
    if (req.method !== 'GET' || !req.url.startsWith('/tables/')) return notFound(res);
    tablePage ??= require('ejs').compile(fs.readFileSync(path.join(__dirname, 'files', 'views', 'table.ejs'), 'utf8'));
    const id = decodeURIComponent(req.url.slice('/tables/'.length));
    send(res, 'text/html; charset=utf-8', tablePage(tableOf(id)));
  },

  'files-200'(req, res) {
    if (req.method !== 'GET' || !/^\/\d+$/.test(req.url)) return notFound(res);
    sendFile(res, path.join(folder, req.url.slice(1)), 'application/octet-stream');
  },

  'file-300k'(req, res) {
    if (req.method !== 'GET' || req.url !== '/app.js') return notFound(res);
    sendFile(res, path.join(folder, 'app.js'), 'text/javascript; charset=utf-8');
  },

  'long-target'(req, res) {
    if (req.method !== 'GET' || !req.url.startsWith('/callback?')) return notFound(res);
    send(res, 'text/html; charset=utf-8', 'signed in');
  },

  'upload-100k'(req, res) {
    if (req.method !== 'POST' || req.url !== '/') return notFound(res);
    let length = 0;
    req.on('data', (chunk) => (length += chunk.length));
    req.on('end', () => send(res, 'text/html; charset=utf-8', `received ${length}`));
  },

  'stream-1m'(req, res) {
    if (req.method !== 'GET' || req.url !== '/') return notFound(res);
    res.writeHead(200, ['X-Powered-By', 'Express', 'Content-Type', 'application/octet-stream']);
    megabyte().pipe(res);
  },

  'upload-1m'(req, res) {
    if (req.method !== 'POST' || req.url !== '/files') return notFound(res);
    const form = require('busboy')({ headers: req.headers });
    let answer;
    form.on('file', (field, stream, { filename }) => {
      const chunks = [];
      stream.on('data', (chunk) => chunks.push(chunk));
      stream.on('end', () => (answer = { name: filename, size: Buffer.concat(chunks).length }));
    });
    form.on('close', () => send(res, 'application/json; charset=utf-8', JSON.stringify(answer)));
    req.pipe(form);
  },

  getter(req, res) {
    if (req.method !== 'GET' || req.url !== '/') return notFound(res);
    const xhr = req.headers['x-requested-with']?.toLowerCase() === 'xmlhttprequest';
    send(res, 'application/json; charset=utf-8', JSON.stringify({ xhr }));
  },

  stack(req, res) {
    // Loaded for this scenario alone.
    stack ??= require('./stack').stackByHand((_req, out, found) => {
      if (found === undefined) return notFound(out);
      const body = JSON.stringify(found);
      out.setHeader('Content-Type', 'application/json; charset=utf-8');
      out.setHeader('Content-Length', Buffer.byteLength(body));
      out.setHeader('ETag', tag(body));
      out.end(body);
    });
    stack(req, res);
  },

  middleware(req, res) {
    let place = 0;
    const next = () => (place < passers.length ? passers[place++](req, res, next) : passed(req, res));
    next();
  },

  routes(req, res) {
    // By the first segment, as one would write it by hand for that many routes: its cost does not grow.
    const end = req.url.indexOf('/', 1);
    const route = req.method === 'GET' && end > 0 ? routes.get(req.url.slice(1, end)) : undefined;
    if (route === undefined) return notFound(res);
    send(res, 'text/html; charset=utf-8', route(decodeURIComponent(req.url.slice(end + 1))));
  },

  answer(req, res) {
    if (req.method !== 'GET' || req.url !== '/') return notFound(res);
    send(res, 'application/octet-stream', answer);
  },

  receive(req, res) {
    if (req.method !== 'POST' || req.url !== '/') return notFound(res);
    const chunks = [];
    req.on('data', (chunk) => chunks.push(chunk));
    req.on('end', () => send(res, 'text/html; charset=utf-8', `received ${Buffer.concat(chunks).length}`));
  },

  static(req, res) {
    if (req.method !== 'GET' || req.url !== '/style.css') return notFound(res);
    sendFile(res, stylesheet, 'text/css; charset=utf-8');
  },

  json(req, res) {
    if (req.method !== 'GET' || req.url !== '/json') return notFound(res);
    send(res, 'application/json; charset=utf-8', JSON.stringify({ message: 'Hello, World!' }));
  },

  parts(req, res) {
    if (req.method !== 'GET' || req.url !== '/') return notFound(res);
    res.setHeader('X-Powered-By', 'Express');
    res.setHeader('Content-Type', 'text/plain; charset=utf-8');
    res.write('first\n');
    res.write('second\n');
    res.end('third\n');
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

const stylesheet = path.join(__dirname, 'files', 'style.css');

const { ROUTES = 0, BYTES = 0, MIDDLEWARE = 20, SCENARIO } = process.env;

const folder = SCENARIO === 'files-200' || SCENARIO === 'file-300k' ? require(`./${SCENARIO}`)() : '';

/** Made for the first request. */
let stack;

/** Compiled for the first page. */
let tablePage;

/** The handlers by first segment. */
const routes = new Map(
  Array.from({ length: Math.max(0, ROUTES - 1) }, (_, index) => [
    `route-${index + 1}`,
    (id) => `route ${index + 1}: ${id}`,
  ]),
);
routes.set('last', (id) => `the last one: ${id}`);

const answer = Buffer.alloc(Number(BYTES), 'x');

/** Functions that call the next one, as one would write them by hand without a framework. */
const passers = Array.from({ length: Number(MIDDLEWARE) }, () => (req, res, next) => {
  req.passed = (req.passed ?? 0) + 1;
  next();
});

function passed(req, res) {
  if (req.method !== 'GET' || req.url !== '/') return notFound(res);
  send(res, 'text/html; charset=utf-8', `passed ${req.passed ?? 0}`);
}

/** With the fields of `express.static`; its cache and conditional requests are left out here. */
function sendFile(res, file, type) {
  fs.stat(file, (missing, stat) => {
    if (missing) return notFound(res);
    fs.readFile(file, (error, body) => {
      if (error) return notFound(res);
      const etag = `W/"${stat.size.toString(16)}-${stat.mtime.getTime().toString(16)}"`;
      const fields = ['X-Powered-By', 'Express', 'Accept-Ranges', 'bytes', 'Cache-Control', 'public, max-age=0'];
      fields.push('Last-Modified', stat.mtime.toUTCString(), 'ETag', etag);
      fields.push('Content-Type', type, 'Content-Length', String(body.length));
      res.writeHead(200, fields);
      res.end(body);
    });
  });
}

function sendItem(req, res) {
  const id = decodeURIComponent(req.url.slice('/items/'.length));
  const body = JSON.stringify({ id, agent: req.headers['user-agent'], name: `item ${id}`, tags: ['a', 'b'] });
  const fields = ['X-Powered-By', 'Express', 'Cache-Control', 'no-cache'];
  fields.push('Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(Buffer.byteLength(body)));
  fields.push('ETag', tag(body));
  res.writeHead(200, fields);
  res.end(body);
}

function send(res, type, body) {
  const length = Buffer.byteLength(body);
  const fields = ['X-Powered-By', 'Express', 'Content-Type', type, 'Content-Length', String(length)];
  fields.push('ETag', tag(body));
  res.writeHead(200, fields);
  res.end(body);
}

/** Loaded for the first tag: in `hello` it would add to the compared memory. */
let crypto;

function tag(body) {
  crypto ??= require('node:crypto');
  const hash = crypto.hash('sha1', body, 'base64').slice(0, 27);
  return `W/"${Buffer.byteLength(body).toString(16)}-${hash}"`;
}

function notFound(res) {
  res.writeHead(404).end();
}

const handler = handlers[process.env.SCENARIO];
// A bare server is the user's own server: DOOR=listen has nothing to call.
handler.listen = (...where) => http.createServer(handler).listen(...where);
listen(handler);
