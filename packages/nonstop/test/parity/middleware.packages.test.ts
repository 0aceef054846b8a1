import { createHash } from 'node:crypto';
import { once } from 'node:events';
import http = require('node:http');
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { after } from 'node:test';
import type express = require('express');
import { folder } from '../support/folder.js';
import { parities, request, type Build, type Program, type Row } from './stage.js';

/*
 * Widely used middleware in its published form, in applications like those of its documentation. Express, both doors of Nonstop
 * and, as in all parity tables, HTTP/2 answer the same requests.
 */

// http-proxy causes a warning about `util._extend` once per process, which would be noted only for the first framework.
process.noDeprecation = true;

type Make = (...args: unknown[]) => express.RequestHandler;
type Loose = Record<string, (...args: unknown[]) => unknown>;

const compression = require('compression') as Make & { filter: unknown };
const onHeaders = require('on-headers') as (res: object, listener: (this: express.Response) => void) => void;
const onFinished = require('on-finished') as (message: object, listener: (error?: unknown) => void) => void;
const session = require('express-session') as Make;
const cookieSession = require('cookie-session') as Make;
const morgan = require('morgan') as Make;
const helmet = require('helmet') as Make & { default?: Make };
const cors = require('cors') as Make;
const passport = require('passport') as { Passport: new () => Record<'use' | 'authenticate' | 'initialize', Make> };
const local = require('passport-local') as { Strategy: new (verify: (...args: never[]) => void) => object };
const { createProxyMiddleware } = require('http-proxy-middleware') as { createProxyMiddleware: Make };
const multer = require('multer') as (options?: object) => { any(): express.RequestHandler };
const ejs = require('ejs') as { renderFile: never };
const serveStatic = require('serve-static') as Make;
const etag = require('etag') as (body: string | Buffer) => string;
const cookieParser = require('cookie-parser') as Make;

const TEXT = 'A text that can be made shorter. '.repeat(200);
const root = folder({
  'big.txt': TEXT,
  'page/index.html': '<p>page</p>',
  'views/list.ejs': '<ul><% items.forEach((item) => { %><li><%= item %></li><% }) %></ul>',
});

const get = (target: string, fields?: Record<string, string>): Buffer => request(`GET ${target}`, fields);
const rows = (...all: readonly (readonly [name: string, send: Buffer, shows?: RegExp])[]): Row[] =>
  all.map(([name, send, shows]) => (shows === undefined ? { name, send } : { name, send, shows }));

const encodings = ['gzip', 'deflate', 'br', 'gzip, br', 'identity', '*;q=0, identity'];

const compress: Build = (app) => {
  app.use(compression({ threshold: 100 }));
  app.get('/text', (_req, res) => void res.type('text').send(TEXT));
  app.get('/short', (_req, res) => void res.type('text').send('short'));
  app.get('/json', (_req, res) => void res.json({ text: TEXT }));
  app.get('/kept', (_req, res) => void res.set('Cache-Control', 'no-transform').type('text').send(TEXT));
  app.get('/image', (_req, res) => void res.type('png').send(Buffer.from(TEXT)));
  app.get('/measured', (_req, res) => {
    res.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Length': TEXT.length });
    res.end(TEXT);
  });
  app.get('/parts', (_req, res) => {
    res.type('text');
    for (const part of [TEXT, 'end']) {
      res.write(part);
      (res as unknown as { flush(): void }).flush();
    }
    res.end();
  });
  app.get('/piped', (_req, res) => void Readable.from([TEXT, TEXT]).pipe(res.type('text')));
  app.get('/events', (_req, res) => {
    res.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' });
    res.write('data: one\n\n');
    (res as unknown as { flush(): void }).flush();
    res.end('data: two\n\n');
  });
  app.use(serveStatic(root));
};

const paths = ['/text', '/short', '/json', '/kept', '/image', '/measured', '/parts', '/piped', '/events', '/big.txt'];

const hooks: Build = (app, _make, note) => {
  app.use((req, res, next) => {
    onHeaders(res, function () {
      this.setHeader('X-Late', `${this.statusCode} ${String(this.getHeader('X-Early'))}`);
      if (req.query['status'] !== undefined) this.statusCode = 202;
      if (req.query['user'] !== undefined) this.setHeader('X-User', 'Jos\u00e9');
    });
    onHeaders(res, function () {
      this.setHeader('X-First', String(this.getHeader('X-Late')));
    });
    onFinished(res, (error) => note(['finished', error ?? null, res.statusCode, res.headersSent]));
    res.setHeader('X-Early', 'early');
    next();
  });
  app.get('/send', (_req, res) => void res.send('sent'));
  app.get('/head', (_req, res) => {
    res.writeHead(201, { 'X-Given': 'given' });
    res.end('head');
  });
  app.get('/pairs', (_req, res) => {
    res.writeHead(203, ['X-Given', 'a', 'X-Other', 'b'] as never);
    res.end();
  });
  app.get('/written', (_req, res) => {
    res.write('a');
    res.end('b');
  });
  app.get('/none', (_req, res) => void res.status(204).end());
  app.get('/throws', () => {
    throw new Error('thrown');
  });
};

const kept = (req: express.Request): Record<string, unknown> & { [name: string]: never } =>
  (req as unknown as { session: never }).session;

const sessions: Build = (app, _make, note) => {
  let made = 0;
  app.use(
    session({
      secret: 'secret',
      resave: false,
      saveUninitialized: false,
      rolling: true,
      genid: () => `id${++made}`,
    }),
  );
  app.get('/new', (req, res) => {
    (kept(req) as Record<string, unknown>)['seen'] = 1;
    res.send('new');
  });
  app.get('/none', (_req, res) => void res.send('none'));
  app.get('/again', (req, res, next) => {
    (kept(req) as unknown as Loose)['regenerate']((error: unknown) => {
      if (error) return next(error);
      (kept(req) as Record<string, unknown>)['again'] = true;
      res.redirect('/new');
    });
  });
  app.get('/gone', (req, res) => {
    (kept(req) as unknown as Loose)['destroy'](() => res.json({ gone: true }));
  });
  app.get('/parts', (req, res) => {
    (kept(req) as Record<string, unknown>)['seen'] = 2;
    res.write('a part');
    res.end(' and its end');
  });
  app.get('/head', (req, res) => {
    (kept(req) as Record<string, unknown>)['seen'] = 3;
    res.writeHead(200, { 'Content-Length': 4 });
    res.end('head', () => note('ended'));
  });
};

const cookies: Build = (app) => {
  app.use(cookieParser('secret'));
  app.use(cookieSession({ name: 's', keys: ['one', 'two'], signed: true }));
  app.get('/count', (req, res) => {
    const own = kept(req) as Record<string, number>;
    own['views'] = (own['views'] ?? 0) + 1;
    res.json({ views: own['views'], cookies: req.cookies as unknown });
  });
  app.get('/end', (req, res) => {
    (req as unknown as { session: null }).session = null;
    res.cookie('also', 'this', { httpOnly: true, signed: true }).send('end');
  });
};

const logs: Build = (app, _make, note) => {
  const stream = { write: (line: string) => note(line.trim()) };
  const format =
    ':method :url :status :res[content-length] :res[content-type] ":req[host]" :req[user-agent] :remote-addr';
  app.use(morgan(format, { stream }));
  app.use(morgan(':method :url', { stream, immediate: true }));
  app.get('/ok', (_req, res) => void res.send('ok'));
  app.get('/parts', (_req, res) => {
    res.write('a');
    res.end('b');
  });
  app.post('/body', (req, res) => void req.resume().on('end', () => res.status(201).json({ ok: true })));
  app.get('/throws', () => {
    throw new Error('thrown');
  });
};

const guards: Build = (app) => {
  app.use((helmet.default ?? helmet)());
  app.use(cors({ origin: ['http://a.test', /\.b\.test$/], credentials: true, exposedHeaders: ['X-A'], maxAge: 60 }));
  app.get('/', (_req, res) => void res.send('<p>page</p>'));
  app.put('/', (_req, res) => void res.send('put'));
};

const logins: Build = (app, make) => {
  const auth = new passport.Passport();
  type Done = (error: unknown, user?: unknown) => void;
  const verify = (name: string, word: string, done: Done): void =>
    name === 'broken' ? done(new Error('broken')) : done(null, word === 'right' && { name });
  auth.use(new local.Strategy(verify));
  app.use(make.urlencoded({ extended: false }), make.json(), auth.initialize());
  app.post(
    '/login',
    auth.authenticate('local', { session: false }),
    (req, res) => void res.json((req as unknown as { user: unknown }).user),
  );
  app.post(
    '/form',
    auth.authenticate('local', { session: false, failureRedirect: '/login', successRedirect: '/home' }),
  );
};
const form = (target: string, body: string): Buffer =>
  request(`POST ${target}`, { 'Content-Type': 'application/x-www-form-urlencoded' }, body);

const views: Build = (app) => {
  app.engine('ejs', ejs.renderFile).set('view engine', 'ejs').set('views', `${root}/views`);
  app.get('/list', (_req, res) => res.render('list', { items: ['a', '<b>'] }));
  app.get('/absent', (_req, res) => res.render('absent'));
  app.get('/tagged', (req, res) => {
    res.set('ETag', etag('tagged'));
    if (req.fresh) res.status(304).end();
    else res.send('tagged');
  });
  app.use('/static', serveStatic(root, { maxAge: '1d', index: ['index.html'] }));
};

const uploads: Build = (app) => {
  app.post('/upload', multer({ limits: { fileSize: 5000, files: 2 } }).any(), (req, res) => {
    const files = (req as unknown as { files: { fieldname: string; originalname: string; buffer: Buffer }[] }).files;
    const told = files.map(({ fieldname, originalname, buffer }) => [
      fieldname,
      originalname,
      createHash('sha1').update(buffer).digest('hex'),
    ]);
    res.json({ body: req.body as unknown, told });
  });
};
const multipart = (...parts: readonly (readonly [head: string, body: string])[]): Buffer => {
  const body = parts
    .map(([head, text]) => `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`)
    .join('');
  return request('POST /upload', { 'Content-Type': 'multipart/form-data; boundary=b' }, `${body}--b--\r\n`);
};

/** The server behind the proxy: it answers with the request. */
const behind = http.createServer((req, res) => {
  const { connection: _connection, ...headers } = req.headers;
  void req.toArray().then((chunks: Buffer[]) => {
    const body = Buffer.concat(chunks).toString();
    // Without a date, which could differ by a second between the frameworks.
    res.sendDate = false;
    res.writeHead(req.url === '/teapot' ? 418 : 200, { 'Content-Type': 'application/json', 'X-Behind': ['a', 'b'] });
    res.end(JSON.stringify({ method: req.method, url: req.url, host: headers.host, own: headers['x-own'], body }));
  });
});
const listening = once(behind.listen(0, '127.0.0.1'), 'listening');
after(() => behind.close().closeAllConnections());

const proxies: Build = (app) => {
  const router = async (): Promise<string> => {
    await listening;
    return `http://127.0.0.1:${(behind.address() as AddressInfo).port}`;
  };
  app.use('/api', createProxyMiddleware({ target: 'http://127.0.0.1', router, changeOrigin: false }));
};

const all: Program[] = [
  {
    name: 'compression',
    app: compress,
    rows: paths.flatMap((target) =>
      rows(
        ...encodings.map((each) => [`${target} in ${each}`, get(target, { 'Accept-Encoding': each })] as const),
        [`HEAD ${target}`, request(`HEAD ${target}`, { 'Accept-Encoding': 'gzip' })],
        [`${target} without Accept-Encoding`, get(target)],
      ),
    ),
  },
  {
    name: 'on-headers and on-finished',
    app: hooks,
    rows: ['/send', '/head', '/pairs', '/written', '/none', '/throws', '/absent'].flatMap((target) =>
      rows(
        [target, get(target)],
        [`${target} with another status`, get(`${target}?status=1`)],
        // Other answers are in UTF-8 over HTTP/1, as node sends the head with a text.
        ...(target === '/send' ? ([[`${target} with a name outside ASCII`, get(`${target}?user=1`)]] as const) : []),
        [`HEAD ${target}`, request(`HEAD ${target}`)],
      ),
    ),
  },
  {
    name: 'express-session',
    app: sessions,
    rows: ['/new', '/none', '/again', '/gone', '/parts', '/head'].flatMap((target) =>
      rows(
        [target, get(target)],
        [`${target} with the cookie of an unknown session`, get(target, { Cookie: 'connect.sid=s%3Aid1.none' })],
        [`HEAD ${target}`, request(`HEAD ${target}`)],
      ),
    ),
  },
  {
    name: 'cookie-session and cookie-parser',
    app: cookies,
    rows: rows(
      ['a new session', get('/count'), /views/],
      ['a session with a wrong signature', get('/count', { Cookie: 's=eyJ2aWV3cyI6OX0=; s.sig=wrong; a=b' })],
      ['several cookies', get('/count', { Cookie: 'a=1; b=j%3A%7B%22c%22%3A2%7D; c=s%3Ax.y' })],
      ['the end of a session', get('/end')],
    ),
  },
  {
    name: 'morgan',
    app: logs,
    rows: rows(
      ['an answer', get('/ok', { 'User-Agent': 'tests' }), /GET \/ok 200 2/],
      ['HEAD', request('HEAD /ok')],
      ['an answer in parts', get('/parts')],
      ['a body', request('POST /body', {}, 'x'.repeat(5000))],
      ['an error', get('/throws')],
      ['not found', get('/absent?x=1')],
    ),
  },
  {
    name: 'helmet and cors',
    app: guards,
    rows: ['http://a.test', 'http://x.b.test', 'http://c.test'].flatMap((Origin) =>
      rows(
        [`GET from ${Origin}`, get('/', { Origin }), /content-security-policy/i],
        [`PUT from ${Origin}`, request('PUT /', { Origin })],
        [
          `may PUT come from ${Origin}`,
          request('OPTIONS /', {
            Origin,
            'Access-Control-Request-Method': 'PUT',
            'Access-Control-Request-Headers': 'x-a',
          }),
        ],
      ),
    ),
  },
  {
    name: 'passport',
    app: logins,
    rows: rows(
      ['the right word', form('/login', 'username=ann&password=right'), /ann/],
      ['the wrong word', form('/login', 'username=ann&password=wrong'), /401/],
      ['no word', form('/login', 'username=ann')],
      ['a strategy that fails', form('/login', 'username=broken&password=right')],
      ['JSON', request('POST /login', { 'Content-Type': 'application/json' }, '{"username":"a","password":"right"}')],
      ['a form that leads home', form('/form', 'username=ann&password=right'), /home/],
      ['a form that leads back', form('/form', 'username=ann&password=wrong')],
    ),
  },
  {
    name: 'ejs, etag and serve-static',
    app: views,
    rows: rows(
      ['a view', get('/list'), /&lt;b&gt;/],
      ['a view that is not there', get('/absent')],
      ['a tag', get('/tagged')],
      ['the same tag', get('/tagged', { 'If-None-Match': etag('tagged') }), /304/],
      ['a file', get('/static/big.txt')],
      ['a part of a file', get('/static/big.txt', { Range: 'bytes=10-19' }), /206/],
      ['the last of a file', get('/static/big.txt', { Range: 'bytes=-5' })],
      ['two parts of a file', get('/static/big.txt', { Range: 'bytes=0-1,5-6' })],
      ['no part of a file', get('/static/big.txt', { Range: 'bytes=99999-' }), /416/],
      ['a file that has not changed', get('/static/big.txt', { 'If-Modified-Since': 'Fri, 01 Jan 2100 00:00:00 GMT' })],
      ['HEAD of a file', request('HEAD /static/big.txt')],
      ['a folder', get('/static/page')],
      ['the index of a folder', get('/static/page/')],
      ['POST to a file', request('POST /static/big.txt')],
    ),
  },
  {
    name: 'multer',
    app: uploads,
    rows: rows(
      ['a file and a field', multipart(['name="a"', '1'], ['name="f"; filename="f.txt"', 'text']), /f\.txt/],
      ['a file that is too long', multipart(['name="f"; filename="f.txt"', 'x'.repeat(6000)])],
      ['a file of 4,000 octets', multipart(['name="f"; filename="f.txt"', 'y'.repeat(4000)])],
      ['too many files', multipart(...'abc'.split('').map((name) => [`name="${name}"; filename="f"`, name] as const))],
      ['no part', request('POST /upload', { 'Content-Type': 'multipart/form-data; boundary=b' }, '--b--\r\n')],
      [
        'an end in the middle',
        request('POST /upload', { 'Content-Type': 'multipart/form-data; boundary=b' }, '--b\r\nCon'),
      ],
    ),
  },
  {
    name: 'http-proxy-middleware',
    app: proxies,
    rows: rows(
      ['GET', get('/api/get?a=b', { 'X-Own': 'own' }), /"own":"own"/],
      ['POST', request('POST /api/post', {}, 'z'.repeat(3000)), /zzz/],
      ['an answer that is not 200', get('/api/teapot'), /418/],
      ['HEAD', request('HEAD /api/get')],
      ['DELETE', request('DELETE /api/x')],
    ),
  },
];

parities(all);
