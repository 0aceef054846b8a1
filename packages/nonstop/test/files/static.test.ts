import assert = require('node:assert/strict');
import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import fs = require('node:fs');
import http = require('node:http');
import net = require('node:net');
import path = require('node:path');
import { test } from 'node:test';
import type { ErrorRequestHandler, Express, RequestHandler } from 'express';
import express = require('express');
import { eachAsExpress, request, type Build, type Case } from '../support/beside-express.js';
import { folder } from '../support/folder.js';
import { serveStatic } from '../../src/files/static.js';

const root = folder({
  'index.html': '<p>index</p>',
  'note.txt': 'a note\n',
  'page.html': 'page',
  'é ü.txt': 'é',
  '.hidden': 'hidden',
  'sub/index.html': '<p>sub</p>',
  'sub/other.css': 'a{}',
  'bare/': '',
  'snow ☃/': '',
  '.dir/file': 'hidden below',
  'empty.txt': '',
  'no-extension': 'what is it',
  'note.unheard-of': 'of what type',
  'small.bin': 's'.repeat(65_536),
  'large.bin': 'l'.repeat(65_537),
});

const serving =
  (options?: object, mount = '/'): Build =>
  (app: Express, kit) => {
    app.use(mount, kit.static(root, options));
    app.use((req, res) => void res.end(`not static: ${req.url}`));
  };

const paths = [
  '/',
  '/note.txt',
  '/page',
  '/page.html?x=1',
  '/nowhere',
  '/sub',
  '/sub/',
  '/sub?x=1',
  '/bare',
  '/bare/',
  '/snow%20%E2%98%83',
  '/.hidden',
  '/.dir/file',
  '/%C3%A9%20%C3%BC.txt',
  '/..%2fnote.txt',
  '/../note.txt',
  '/sub/../note.txt',
  '/%00',
  '/%zz',
  '//sub',
  '///sub/..//bare',
  '/\\sub',
  '/note.txt/',
  `/${'x'.repeat(300)}`,
];

const options: [string, object | undefined][] = [
  ['by default', undefined],
  ['without fallthrough', { fallthrough: false }],
  ['without redirect', { redirect: false }],
  ['with extensions', { extensions: ['html'], index: ['nowhere', 'index.html'] }],
  ['without index', { index: false }],
  ['with dotfiles', { dotfiles: 'allow' }],
  ['denying dotfiles', { dotfiles: 'deny' }],
];

const asked: [string, string, Record<string, string>, object?][] = [
  ['HEAD', 'HEAD /note.txt', {}],
  ['POST', 'POST /note.txt', {}],
  ['POST without fallthrough', 'POST /note.txt', {}, { fallthrough: false }],
  ['OPTIONS', 'OPTIONS /note.txt', {}],
  ['OPTIONS without fallthrough', 'OPTIONS /note.txt', {}, { fallthrough: false }],
  ['a range', 'GET /note.txt', { Range: 'bytes=2-3' }],
  ['a range beyond the end', 'GET /note.txt', { Range: 'bytes=100-' }],
  ['a matching tag', 'GET /note.txt', { 'If-None-Match': '*' }],
  ['a tag that must match', 'GET /note.txt', { 'If-Match': '"other"' }],
  ['an age', 'GET /note.txt', {}, { maxAge: '1d', immutable: true }],
  ['an age spelled otherwise', 'GET /note.txt', {}, { maxage: 5000 }],
  [
    'fields left out',
    'GET /note.txt',
    {},
    { etag: false, lastModified: false, cacheControl: false, acceptRanges: false },
  ],
  ['inherited options', 'GET /note.txt', {}, Object.create({ maxAge: 9000 }) as object],
  [
    'fields added',
    'GET /note.txt',
    {},
    {
      setHeaders: (res: { setHeader(name: string, value: string): void }, path: string, stat: { size: number }) =>
        res.setHeader('X-File', `${path.endsWith('note.txt')} ${stat.size}`),
    },
  ],
];

eachAsExpress([
  ...paths.flatMap((path) =>
    options.map(([how, values]): Case => ({
      name: `static answers ${path.slice(0, 40)} ${how}`,
      app: serving(values),
      send: request(`GET ${path}`),
    })),
  ),
  ...['/files', '/files/', '/files/sub', '/files//sub', '/files/note.txt', '/files?x=1'].map((path): Case => ({
    name: `static below a mount answers ${path}`,
    app: serving(undefined, '/files'),
    send: request(`GET ${path}`),
  })),
  ...asked.map(([name, line, fields, values]): Case => ({
    name: `static answers ${name}`,
    app: serving(values),
    send: request(line, fields),
  })),
]);

/** File system errors between steps: one file is removed as soon as it was found, another cannot be stat'ed. */
const stat = fs.stat;
(fs as { stat: unknown }).stat = (file: string, done: (error: Error | null, found?: fs.Stats) => void): void => {
  if (path.basename(file) === 'broken.txt') {
    const error = new Error(`EIO: i/o error, stat '${file}'`);
    setImmediate(done, Object.assign(error, { code: 'EIO', errno: -5, path: file, syscall: 'stat' }));
  } else if (path.basename(file) === 'gone.txt') {
    fs.writeFileSync(file, 'here');
    fs.utimesSync(file, 1e9, 1e9);
    stat(file, (error, found) => {
      fs.unlinkSync(file);
      done(error, found);
    });
  } else stat(file, done);
};

const before: Record<string, RequestHandler> = {
  'with a type and an age of its own': (req, res, next) => {
    res.set({ 'Content-Type': 'text/x-own', 'Cache-Control': 'no-store' });
    next();
  },
  'with validators of its own': (req, res, next) => {
    res.set({ ETag: '"own"', 'Last-Modified': 'Thu, 01 Jan 2026 00:00:00 GMT', 'Accept-Ranges': 'none' });
    next();
  },
  'with empty fields': (req, res, next) => {
    res.set({ ETag: '', 'Cache-Control': '', 'Content-Length': '3' });
    next();
  },
  'with another status': (req, res, next) => {
    res.status(404);
    next();
  },
  'with a wrapped end()': (req, res, next) => {
    const { end } = res;
    res.end = function (this: typeof res, ...args: unknown[]) {
      if (!this.headersSent) this.setHeader('X-Ended', String(args.length));
      return end.apply(this, args as never);
    } as typeof end;
    next();
  },
  'when the head has left': (req, res, next) => {
    res.writeHead(200, { 'Content-Length': '0' });
    next();
  },
};

const files = ['empty.txt', 'no-extension', 'note.unheard-of', 'small.bin', 'large.bin', 'gone.txt', 'broken.txt'];

/** Requests that `send` refuses. */
const odd: [string, object][] = [
  ['a way with dotfiles that is none', { dotfiles: 'hide' }],
  ['an index that is no name', { index: [7] }],
  ['an index further down', { index: 'sub/index.html' }],
  ['extensions that are no names', { extensions: [7] }],
  ['an age below nothing', { maxAge: -5000 }],
  ['an age beyond a year', { maxAge: Infinity }],
  ['an age that is no number', { maxAge: {} }],
  ['an invalid age', { maxAge: 'soon' }],
  ['a broken number of seconds', { maxAge: 1999.5, immutable: false }],
  ['where to begin and to end', { start: 2, end: 3 }],
  ['an encoding', { encoding: 'utf8' }],
  ['no extensions', { extensions: [] }],
];

const telling: ErrorRequestHandler = (error: NodeJS.ErrnoException & { status: number }, req, res, next) => {
  if (res.headersSent) return next(error);
  const { status, code, syscall, message, name } = error;
  res.status(500).json({ status, code, syscall, name, message: message.replaceAll(root, '') });
};

eachAsExpress([
  ...Object.entries(before).flatMap(([how, handler]) =>
    ['GET /note.txt', 'HEAD /note.txt', 'GET /sub/', 'GET /absent.txt'].map((line): Case => ({
      name: `static answers ${line} ${how}`,
      app: (app, kit) => {
        app.use(handler);
        serving()(app, kit, () => undefined);
      },
      send: request(line),
    })),
  ),
  ...files.flatMap((file) =>
    [undefined, { fallthrough: false }, { maxAge: 7000 }].flatMap((values) =>
      ['HEAD', 'GET'].map((method): Case => ({
        name: `static answers ${method} ${file} ${JSON.stringify(values)}`,
        app: (app, kit) => {
          serving(values)(app, kit, () => undefined);
          app.use(telling);
        },
        send: request(`${method} /${file}`),
      })),
    ),
  ),
  ...odd.flatMap(([what, values]) =>
    ['/note.txt', '/sub/', '/absent.txt'].map((target): Case => ({
      name: `static answers ${target} with ${what}`,
      app: (app, kit) => {
        serving(values)(app, kit, () => undefined);
        app.use(telling);
      },
      send: request(`GET ${target}`),
    })),
  ),
  {
    name: 'static reads options that are changed later',
    app: (app, kit, note) => {
      const later: Record<string, unknown> = {};
      serving(later)(app, kit, note);
      later['etag'] = false;
      later['index'] = 'note.txt';
    },
    send: [request('GET /note.txt', { Connection: undefined }), request('GET /')],
  },
]);

test('static answers many at once, each in its own async context', async (t) => {
  const store = new AsyncLocalStorage<string>();
  const finished: [string, string | undefined][] = [];
  const app = express();
  app.use((req, res, next) => {
    res.on('finish', () => finished.push([req.url, store.getStore()]));
    store.run(req.url, next);
  });
  app.use(serveStatic(root));
  app.use((_, res) => void res.end(`${store.getStore()} is not there`));
  const server = app.listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;

  const paths = Array.from({ length: 30 }, (_, i) => (i % 3 === 0 ? `/absent?${i}` : `/small.bin?${i}`));
  const texts = await Promise.all(paths.map(async (asked) => (await fetch(`http://127.0.0.1:${port}${asked}`)).text()));
  for (const [i, asked] of paths.entries()) {
    assert.equal(texts[i], i % 3 === 0 ? `${asked} is not there` : 's'.repeat(65_536));
  }
  assert.equal(finished.length, paths.length);
  for (const [asked, kept] of finished) assert.equal(kept, asked);
});

test('static refuses the same arguments as in Express', () => {
  const made = (make: (...args: never[]) => { name: string }, args: unknown[]): string => {
    try {
      return make(...(args as never[])).name;
    } catch (error) {
      return String(error);
    }
  };
  for (const args of [[], [''], [7], [root], [root, null], [root, { setHeaders: 'x' }], [root, { setHeaders: 0 }]]) {
    assert.equal(made(serveStatic, args), made(express.static as never, args));
  }
});

for (const [name, make] of Object.entries({ Express: express.static, Nonstop: serveStatic })) {
  test(`${name} gives setHeaders a stat of its own for each of several requests at a time: it may change it`, async (t) => {
    const stats = new Set<unknown>();
    const app = express();
    app.use(make(root, { setHeaders: (_res, _path, stat) => void stats.add(stat) }));
    const server = http.createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => server.close());
    const client = net.connect((server.address() as net.AddressInfo).port, '127.0.0.1');
    const head = 'GET /note.txt HTTP/1.1\r\nHost: a\r\n';
    client.write(`${head}\r\n${head}\r\n${head}Connection: close\r\n\r\n`);
    assert.equal(String(Buffer.concat(await client.toArray())).split('a note\n').length, 4);
    assert.equal(stats.size, 3);
  });
}
