// Tables of values for features that Express 5 lacks or has in another form.
import './mean-express-4.js';
import type express from 'express';
import path = require('node:path');
import { folder } from '../../support/folder.js';
import { asking, handlers, parities, request, requests, type HandlerRow, type Loose, type Program } from '../stage.js';

const GET = request('GET /');

const VALUES: Readonly<Record<string, unknown>> = {
  'a text': 'text',
  'no text': '',
  'text outside of ASCII': 'é€😀',
  HTML: '<p>a</p>',
  'text that is JSON': '{"a":1}',
  'a long text': 'x'.repeat(2000),
  0: 0,
  7: 7,
  '-1': -1,
  200: 200,
  1.5: 1.5,
  NaN: Number.NaN,
  true: true,
  false: false,
  null: null,
  undefined: undefined,
  'an object': { a: 1, b: [true, null], c: { d: '<&>' } },
  'an empty object': {},
  'a list': [1, 'a', null, undefined],
  'an empty list': [],
  'an object that says its JSON': { toJSON: () => ({ made: 1 }) },
  'a date': new Date(86_400_000),
  bytes: Buffer.from('bytes'),
  'no bytes': Buffer.alloc(0),
  'a typed array': new Uint8Array([1, 2]),
  'a number object': Object(7) as unknown,
  'a text object': Object('text') as unknown,
  'separators of lines': 'a\u2028b\u2029',
};

const FORMS: Readonly<Record<string, (res: Loose, value: unknown) => unknown>> = {
  'res.send(value)': (res, value) => res.send(value),
  'res.send(201, value)': (res, value) => res.send(201, value),
  'res.send(value, 201)': (res, value) => res.send(value, 201),
  'res.json(value)': (res, value) => res.json(value),
  'res.json(201, value)': (res, value) => res.json(201, value),
  'res.json(value, 201)': (res, value) => res.json(value, 201),
  'res.jsonp(value)': (res, value) => res.jsonp(value),
  'res.jsonp(201, value)': (res, value) => res.jsonp(201, value),
  'res.jsonp(value, 201)': (res, value) => res.jsonp(value, 201),
  'res.type("text").send(value)': (res, value) => res.type('text').send(value),
  'res.set("Content-Type", "text/x; charset=latin1").send(value)': (res, value) =>
    res.set('Content-Type', 'text/x; charset=latin1').send(value),
  'res.status(404).json(value)': (res, value) => res.status(404).json(value),
};

const sent: readonly Program[] = Object.entries(FORMS).map(([form, send]) => ({
  ...handlers(
    form,
    Object.entries(VALUES).map(([name, value]): HandlerRow => [name, ({ res }) => void send(res, value), GET]),
  ),
  of: 4,
}));

const PATTERNS = [
  '*',
  '/*',
  '/a/*',
  '/a/*/b',
  '/*.js',
  '/a*b',
  '*.js',
  '/:id',
  '/:id?',
  '/a/:id?',
  '/:a/:b?',
  '/:a?/:b?',
  '/:id(\\d+)',
  '/:id(\\d+)?',
  '/:id([a-z]+)/x',
  '/:file(*)',
  '/:file(.*)',
  '/:rest*',
  '/:rest*?',
  '/x.:format',
  '/x.:format?',
  '/:name.:format',
  '/:name.:format?',
  '/:from-:to',
  '/:from..:to',
  '/(a|b)',
  '/(a)?b',
  '/a(b)?',
  '/ab?',
  '/ab+',
  '/ab*',
  '/[ab]',
  '/a{2}',
  '/a|/b',
  '/a$',
  '/^a',
  '/a.b',
  '/a/',
  '/a/?',
  '//',
  '/:a:b',
  '/:0',
  '/:a_b',
  '/é',
  '/%20',
  '/a b',
  '/\\d',
  '/:id\\?',
  '',
];

const TARGETS = [
  '/',
  '/a',
  '/A',
  '/b',
  '/a/',
  '/a/b',
  '/a/b/',
  '/a/x/b',
  '/a/b/c',
  '/7',
  '/77/x',
  '/abc/x',
  '/x.json',
  '/x.',
  '/x.tar.gz',
  '/ab',
  '/abb',
  '/aa',
  '/a.b',
  '/a-b',
  '/a..b',
  '/a.js',
  '/%C3%A9',
  '/%20',
  '/a%2Fb',
  '//a',
  '/a//b',
  '/?',
  '/a?b=c',
  '/%zz',
];

const paths: readonly Program[] = PATTERNS.flatMap((pattern) => [
  {
    name: `a route at '${pattern}', every url`,
    of: 4 as const,
    app: (app: express.Express) => void app.get(pattern, (req, res) => void res.json([req.params, req.path])),
    rows: requests(TARGETS.map((target) => [`GET ${target}`] as const)),
  },
]);

const MOUNTS = ['/a', '/a/', '/:id', '/:id?', '/a*', '/(a|b)', '/:id(\\d+)', '/x.:format?'];

const mounts: readonly Program[] = MOUNTS.map((pattern) => ({
  name: `a mount at '${pattern}', every url`,
  of: 4,
  app: (app) => void app.use(pattern, (req, res) => void res.json([req.params, req.url, req.baseUrl, req.path])),
  rows: requests(TARGETS.map((target) => [`GET ${target}`] as const)),
}));

const FORMS_SENT = [
  'a=1',
  'a=1&b=2',
  'a=1&a=2',
  'a[]=1',
  'a[]=1&a[]=2',
  'a[0]=x&a[2]=y',
  'a[30]=x',
  'a[1001]=x',
  'a[b]=1',
  'a[b][c]=1',
  'a[b]=1&a[c]=2',
  'a[b]=1&a=2',
  'a.b=1',
  'a',
  'a=',
  '=a',
  '&',
  '=',
  'a&b',
  'a=b=c',
  'a+b=c+d',
  'a=%20',
  'a=%',
  'a=%zz',
  'a=%E9',
  'a=%C3%A9',
  'é=ü',
  '__proto__=x',
  '__proto__[a]=x',
  'constructor=x',
  'toString=x',
  'hasOwnProperty=x',
  'a[__proto__]=x',
  'a[toString]=x',
  'a[=1',
  'a]=1',
  'a[b=1',
  '[]=1',
  '[a]=1',
  'a[][b]=1&a[][b]=2',
  `${'a[b]'.padEnd(40, '[c]')}=1`,
  `a${'[b]'.repeat(32)}=1`,
  `a${'[b]'.repeat(33)}=1`,
  Array.from({ length: 999 }, (_, i) => `a${i}=1`).join('&'),
  Array.from({ length: 1001 }, (_, i) => `a${i}=1`).join('&'),
  Array.from({ length: 30 }, () => 'a=1').join('&'),
  'a;b=1',
  'a=1;b=2',
  ' a = b ',
  'a=%00',
  'a%5Bb%5D=1',
];

/** Params that a program has written, merged with those of a router. */
const mergedParams: Program = {
  name: 'mergeParams with params that are inherited, or named by symbols',
  of: 4,
  app: (app, make) => {
    const router = make.Router({ mergeParams: true });
    router.get('/:x', ({ params }, res) => res.json([params, Object.getOwnPropertySymbols(params).length]));
    app.use('/inherited', (req, res, next) => {
      req.params = Object.create({ tenant: 't' }) as typeof req.params;
      router(req, res, next);
    });
    app.use('/symbol', (req, res, next) => {
      req.params = Object.assign({ y: '1' }, { [Symbol.for('z')]: 1 });
      router(req, res, next);
    });
  },
  rows: ['/inherited/1', '/symbol/1'].map((path) => ({ name: path, send: request(`GET ${path}`) })),
};

const forms: readonly Program[] = [
  { extended: true },
  { extended: false },
  { extended: true, depth: 2 },
  { extended: true, parameterLimit: 3 },
  { extended: true, parameterLimit: 2 ** 32 },
  { extended: false, parameterLimit: 2 ** 31 },
].map((options) => ({
  ...asking(`express.urlencoded(${JSON.stringify(options)})`, (req) => req.body as unknown, {
    setup: (app, make) => void app.use(make.urlencoded(options)),
    rows: FORMS_SENT.map((text, at) => ({
      name: `${at}: ${text.slice(0, 60)}`,
      send: request('POST /', { 'Content-Type': 'application/x-www-form-urlencoded' }, text),
    })),
  }),
  of: 4,
}));

const PARSERS: readonly (readonly [name: string, value: unknown])[] = [
  ['the default', undefined],
  ['simple', 'simple'],
  ['extended', 'extended'],
  ['false', false],
  ['true', true],
];

const queries: readonly Program[] = PARSERS.map(([name, value]) => ({
  ...asking(
    `the query parser: ${name}`,
    // Without a parser all answers are equal, except for the url in them.
    (req) => [req.url, req.query, Object.getPrototypeOf(req.query) === Object.prototype],
    {
      setup: (app) => void (value !== undefined && app.set('query parser', value)),
      rows: requests(
        FORMS_SENT.filter((text) => text.length < 500 && /^[!-~]*$/.test(text)).map(
          (text) => [`GET /?${text}`] as const,
        ),
      ),
    },
  ),
  of: 4,
}));

const HOSTS = [
  'example.com',
  'example.com:81',
  'a.b.example.com',
  '127.0.0.1',
  '127.0.0.1:80',
  '[::1]',
  '[::1]:80',
  'EXAMPLE.com',
  'a..b',
  ':80',
  'a:b:c',
];
const FORWARDED: readonly Record<string, string>[] = [
  {},
  { 'X-Forwarded-Host': 'proxied.example:82' },
  { 'X-Forwarded-Host': 'one.example, two.example' },
  { 'X-Forwarded-Proto': 'https' },
  { 'X-Forwarded-Proto': 'https, http', 'X-Forwarded-For': '10.0.0.1, 10.0.0.2' },
];

const hosts: readonly Program[] = [false, true, 1, 'loopback'].map((trust) => ({
  ...asking(
    `where a request comes from, trust proxy ${String(trust)}`,
    (req) => [req.host, req.hostname, req.protocol, req.secure, req.ip, req.ips, req.subdomains],
    {
      setup: (app) => void app.set('trust proxy', trust),
      rows: requests(HOSTS.flatMap((Host) => FORWARDED.map((fields) => ['GET /', { Host, ...fields }] as const))),
    },
  ),
  of: 4,
}));

const root = folder({
  'a.txt': 'text',
  'a.js': 'script',
  'a.mjs': 'module',
  'a.html': 'page',
  'a.json': '{}',
  'a.svg': '<svg/>',
  'a.wav': 'sound',
  'a.wasm': 'code',
  'a.unknown': '?',
  'a.xml': '<a/>',
  none: 'no extension',
  '.dot': 'a dotfile',
  '.dot.txt': 'another',
  '.d/a.txt': 'in a dot folder',
  '.d/.dot': 'both',
  'd/.dot': 'a dotfile below',
  'd/index.html': 'an index',
  'é.txt': 'not ASCII',
  'with space.txt': 'a space',
});
const FILES = [
  'a.txt',
  'a.js',
  'a.mjs',
  'a.html',
  'a.json',
  'a.svg',
  'a.wav',
  'a.wasm',
  'a.unknown',
  'a.xml',
  'none',
  '.dot',
  '.dot.txt',
  '.d/a.txt',
  '.d/.dot',
  '.d',
  '.d/',
  'd/.dot',
  'd',
  'd/',
  '%C3%A9.txt',
  'with%20space.txt',
  'a.txt/',
  '%2e.dot',
  '%2edot',
  '.d%2fa.txt',
  'missing',
  '..',
  '../a.txt',
  './a.txt',
  'd/../a.txt',
  '.',
  'a',
  '%zz',
  '%00',
];
const OPTIONS: readonly object[] = [
  {},
  { dotfiles: 'allow' },
  { dotfiles: 'deny' },
  { dotfiles: 'ignore' },
  { hidden: true },
  { hidden: false },
  { extensions: ['txt', 'html'] },
  { index: false },
  { redirect: false },
  { fallthrough: false },
  { acceptRanges: false, etag: false, lastModified: false },
  { maxAge: '1d', immutable: true },
];
const shown = (options: object): string => JSON.stringify(options);

const served: readonly Program[] = OPTIONS.map((options) => ({
  name: `express.static with ${shown(options)}`,
  of: 4,
  app: (app, make) => void app.use(make.static(root, options)),
  rows: requests(FILES.filter((file) => !isLeft(file, options)).map((file) => [`GET /${file}`] as const)),
}));

/** On Windows `a.txt/` is the name of a file to Express 4 (docs/compat/express-4.md). */
function isLeft(file: string, options: object): boolean {
  return process.platform === 'win32' && file === 'a.txt/' && 'index' in options;
}

const CONDITIONS: readonly Record<string, string>[] = [
  { Range: 'bytes=0-1' },
  { Range: 'bytes=1-' },
  { Range: 'bytes=-1' },
  { Range: 'bytes=1-x' },
  { Range: 'bytes=x-1' },
  { Range: 'bytes=x' },
  { Range: 'bytes=' },
  { Range: 'bytes=9-' },
  { Range: 'bytes=0-1,2-3' },
  { Range: 'bytes=0-1,1-3' },
  { Range: 'bytes= 0 - 1 ' },
  { Range: 'bytes=0-99999999999999999999' },
  { Range: 'bytes=3-1' },
  { Range: 'bytes=0-0,x' },
  { Range: 'items=0-1' },
  { Range: 'bytes=0-1', 'If-Range': '"x"' },
  { Range: 'bytes=0-1', 'If-Range': 'Fri, 02 Jan 2026 03:04:05 GMT' },
  { 'If-None-Match': '*' },
  { 'If-None-Match': '"x"' },
  { 'If-None-Match': 'W/"4-19b7c7e9a08"' },
  { 'If-Modified-Since': 'Fri, 02 Jan 2026 03:04:05 GMT' },
  { 'If-Modified-Since': 'Thu, 01 Jan 2026 03:04:05 GMT' },
  { 'If-None-Match': '"x"', 'If-Modified-Since': 'Fri, 02 Jan 2026 03:04:05 GMT' },
  { 'If-None-Match': '*', 'If-Modified-Since': 'Thu, 01 Jan 2026 03:04:05 GMT' },
  { 'If-None-Match': '*', 'If-Modified-Since': 'Fri, 02 Jan 2026 03:04:05 GMT' },
  { 'If-None-Match': '*', 'Cache-Control': 'no-cache' },
  { 'If-Match': '"x"' },
  { 'If-Match': '*' },
  { 'If-Unmodified-Since': 'Thu, 01 Jan 2026 03:04:05 GMT' },
  { 'If-Unmodified-Since': 'Fri, 02 Jan 2026 03:04:05 GMT' },
  { 'If-Modified-Since': 'nonsense' },
];

const RANGES_OF_PROGRAMS: readonly unknown[] = ['bytes=1-2', null, 7, {}, { toString: () => 'told' }];

const conditional: readonly Program[] = [
  {
    name: 'express.static, conditions and ranges',
    of: 4,
    app: (app, make) => void app.use(make.static(root)),
    rows: requests(
      CONDITIONS.flatMap((fields) => ['GET /a.txt', 'HEAD /a.txt', 'GET /a.js'].map((line) => [line, fields] as const)),
    ),
  },
  {
    name: 'res.sendFile, conditions and ranges',
    of: 4,
    app: (app) => void app.use((_req, res) => res.sendFile(path.join(root, 'a.txt'))),
    rows: requests(CONDITIONS.flatMap((fields) => ['GET /', 'HEAD /'].map((line) => [line, fields] as const))),
  },
  {
    name: 'res.sendFile, a field Range that a program has written',
    of: 4,
    app: (app) =>
      void app.use((req, res) => {
        req.headers.range = RANGES_OF_PROGRAMS[Number(req.query['n'])] as string;
        res.sendFile(path.join(root, 'a.txt'));
      }),
    rows: requests(RANGES_OF_PROGRAMS.map((_, n) => [`GET /?n=${n}`] as const)),
  },
  {
    name: 'res.sendFile, options that lead to another file',
    of: 4,
    app: (app) => {
      const file = path.join(root, 'a.txt');
      app.get('/:option/:value', ({ params: { option, value } }, res) => res.sendFile(file, { [option]: value }));
    },
    rows: requests([['GET /from/nowhere'], ['GET /hidden/true'], ['GET /odd/true']]),
  },
  {
    ...asking('req.range and req.fresh', (req) => [req.range(100), req.range(100, { combine: true }), req.fresh], {
      rows: requests(CONDITIONS.map((fields) => ['GET /', fields] as const)),
    }),
    of: 4,
  },
];

const files: readonly Program[] = (['sendFile', 'sendfile', 'download'] as const).map((method) => ({
  ...handlers(
    `res.${method}, every file`,
    FILES.flatMap((file) =>
      [{}, { dotfiles: 'allow' }, { root }].map((options): HandlerRow => {
        const place = 'root' in options ? file : path.join(root, file);
        return [
          `${file} ${'root' in options ? 'below a root' : shown(options)}`,
          ({ res }) => void (res[method] as (...args: unknown[]) => unknown)(place, options),
          GET,
        ];
      }),
    ),
  ),
  of: 4,
}));

/** Arguments that Express 4 refuses, or that only its `send` knows. */
const FILE_ARGUMENTS: readonly (readonly [name: string, ...args: unknown[]])[] = [
  ['no path'],
  ['an empty path', ''],
  ['a number as path', 5],
  ['a relative path without root', 'a.txt'],
  ['a number as root', 'a.txt', { root: 5 }],
  ['from, and a path below it', '/a.txt', { from: root }],
  ['from and root', 'a.txt', { from: '/nowhere', root }],
  ['hidden', path.join(root, 'a.txt'), { hidden: true }],
];

const fileArguments: readonly Program[] = (['sendFile', 'sendfile', 'download'] as const).map((method) => ({
  ...handlers(
    `res.${method}, odd arguments`,
    FILE_ARGUMENTS.map(([name, ...args]): HandlerRow => [
      name,
      ({ res }) => void (res[method] as (...args: unknown[]) => unknown)(...args),
      GET,
    ]),
  ),
  of: 4,
}));

const ERRORS: Readonly<Record<string, () => unknown>> = {
  'an error': () => new Error('wrong <b>'),
  'with status 404': () => Object.assign(new Error('not here'), { status: 404 }),
  'with statusCode 418': () => Object.assign(new Error('tea'), { statusCode: 418 }),
  'with both': () => Object.assign(new Error('two'), { status: 400, statusCode: 500 }),
  'with status 200': () => Object.assign(new Error('fine'), { status: 200 }),
  'with status 700': () => Object.assign(new Error('odd'), { status: 700 }),
  'with fields': () => Object.assign(new Error('fields'), { status: 401, headers: { 'WWW-Authenticate': 'Basic' } }),
  'without a stack': () => Object.assign(new Error('bare'), { stack: undefined }),
  'a text': () => 'thrown text',
  'a number': () => 404,
  'an object': () => ({ status: 403, message: 'no error' }),
  'an array': () => ['a'],
};

const errors: readonly Program[] = ['production', 'development', 'test'].flatMap((env) =>
  [undefined, 'application/json', 'text/html'].map((Accept): Program => {
    const send = request('GET /%3Cb%3E', Accept === undefined ? {} : { Accept });
    return {
      ...handlers(
        `the page of an error, ${env}, Accept ${Accept}`,
        // The stack of an error consists of positions in files, which differ.
        Object.entries(ERRORS).map(([name, make]): HandlerRow => [
          name,
          ({ next }) => {
            const error = make();
            if (error instanceof Error && error.stack !== undefined)
              error.stack = `Error: ${error.message}\n  at a place`;
            next(error);
          },
          send,
        ]),
        (app) => void app.set('env', env),
      ),
      pages: true,
      of: 4,
    };
  }),
);

type Param4 = express.Express & { param(name: unknown, handle?: unknown): unknown };
const PARAMS: Readonly<Record<string, (app: Param4) => void>> = {
  'by name': (app) =>
    app.param(
      'id',
      (_req: unknown, res: express.Response, next: () => void, value: string, name: string) => (
        res.append('X-Param', `${name}=${value}`),
        next()
      ),
    ),
  'with a colon': (app) =>
    app.param(
      ':id',
      (_req: unknown, res: express.Response, next: () => void, value: string) => (res.append('X-Param', value), next()),
    ),
  'of a list of names': (app) =>
    app.param(
      ['id', 'name'],
      (_req: unknown, res: express.Response, next: () => void, value: string, name: string) => (
        res.append('X-Param', `${name}=${value}`),
        next()
      ),
    ),
  'by a function of the application': (app) => {
    app.param((name: string, pattern: unknown) =>
      pattern instanceof RegExp
        ? (_req: unknown, _res: unknown, next: (error?: unknown) => void, value: string) =>
            next(pattern.test(value) ? undefined : 'route')
        : undefined,
    );
    app.param('id', /^\d+$/);
  },
  'that fails': (app) =>
    app.param('id', (_req: unknown, _res: unknown, next: (error?: unknown) => void) => next(new Error('refused'))),
  'that throws': (app) =>
    app.param('id', () => {
      throw new Error('thrown');
    }),
  'that leaves the route': (app) =>
    app.param('id', (_req: unknown, _res: unknown, next: (error?: unknown) => void) => next('route')),
  'that writes the param': (app) =>
    app.param('id', (req: express.Request, _res: unknown, next: () => void) => {
      req.params['id'] = 'written';
      next();
    }),
  'of groups without a name': (app) =>
    app.param(
      0,
      (_req: unknown, res: express.Response, next: () => void, value: string) => (
        res.append('X-Param', `0=${value}`),
        next()
      ),
    ),
};

const params: readonly Program[] = Object.entries(PARAMS).map(([name, add]) => ({
  name: `a callback for a param ${name}`,
  of: 4,
  app: (app) => {
    app.set('env', 'test');
    add(app as Param4);
    for (const route of ['/one/:id', '/two/:id/:name', '/opt/:id?', '/group/(\\d+)', '/star/*', '/twice/:id'])
      app.get(route, (req, res) => void res.json([route, req.params]));
    app.get('/twice/:id', (_req, res) => void res.send('second'));
    app.use('/mount/:id', (req, res) => void res.json([req.params, req.url]));
  },
  rows: requests(
    [
      '/one/7',
      '/one/x',
      '/one/%20',
      '/one/%zz',
      '/two/7/a',
      '/two/x/a',
      '/opt',
      '/opt/7',
      '/group/7',
      '/star/a/b',
      '/twice/7',
      '/mount/7',
      '/mount/x/y',
      '/none',
    ].map((target) => [`GET ${target}`] as const),
  ),
}));

parities([
  ...sent,
  ...paths,
  ...mounts,
  mergedParams,
  ...forms,
  ...queries,
  ...hosts,
  ...served,
  ...conditional,
  ...files,
  ...fileArguments,
  ...errors,
  ...params,
]);
