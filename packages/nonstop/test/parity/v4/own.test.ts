// Features of Express 4 that Express 5 does not have.
import './mean-express-4.js';
import type express = require('express');
import type { ServerResponse } from 'node:http';
import { oracle } from '../../support/oracle.js';
import { scenes } from '../../support/scenes.js';
import { asking, handlers, parities, request, requests, type HandlerRow, type Loose, type Program } from '../stage.js';

const GET = request('GET /');

/** Rows of calls on a response, written as in a program. */
const answers = (table: Record<string, (res: Loose) => unknown>): HandlerRow[] =>
  Object.entries(table).map(([name, answer]) => [name, ({ res }) => void answer(res), GET]);

const STATUSES = answers({
  'res.send(201, text)': (res) => res.send(201, 'text'),
  'res.send(text, 201)': (res) => res.send('text', 201),
  'res.send(201, number)': (res) => res.send(201, 7),
  'res.send(number, number)': (res) => res.send(7, 201),
  'res.send(404)': (res) => res.send(404),
  'res.send(299)': (res) => res.send(299),
  'res.send(0)': (res) => res.send(0),
  'res.send(404) with a type': (res) => res.type('json').send(404),
  'res.send(204, text)': (res) => res.send(204, 'text'),
  'res.send(object, 201)': (res) => res.send({ a: 1 }, 201),
  'res.send(null)': (res) => res.send(null),
  'res.send(null) with a type': (res) => res.type('text').send(null),
  'res.send(200, null)': (res) => res.send(200, null),
  'res.send(200, undefined)': (res) => res.send(200, undefined),
  'res.send(undefined, undefined)': (res) => res.send(undefined, undefined),
  'res.send(typed array)': (res) => res.send(new Uint8Array([1, 2])),
  'res.send(buffer)': (res) => res.send(Buffer.from('bytes')),
  'res.send(201, buffer)': (res) => res.send(201, Buffer.from('bytes')),
  'res.json(201, object)': (res) => res.json(201, { a: 1 }),
  'res.json(object, 201)': (res) => res.json({ a: 1 }, 201),
  'res.json(201, 7)': (res) => res.json(201, 7),
  'res.json(201, null)': (res) => res.json(201, null),
  'res.json(text, text)': (res) => res.json('a', 'b'),
  'res.jsonp(201, object)': (res) => res.jsonp(201, { a: 1 }),
  'res.jsonp(object, 201)': (res) => res.jsonp({ a: 1 }, 201),
  'res.status(text)': (res) => res.status('404').send('x'),
  'res.status(fraction)': (res) => res.status(404.5).send('x'),
  'res.status(undefined)': (res) => res.status(undefined).send('x'),
  'res.status(1000)': (res) => res.status(1000).send('x'),
  'res.sendStatus(text)': (res) => res.sendStatus('404'),
  'res.sendStatus(799)': (res) => res.sendStatus(799),
  'res.vary()': (res) => res.vary().send('x'),
  'res.vary([])': (res) => res.vary([]).send('x'),
  'res.links of an object': (res) => res.links({ next: { valueOf: () => 'value', toString: () => 'text' } }).send('x'),
  'res.links of several': (res) => res.links({ next: ['/a', '/b'] }).send('x'),
  'Transfer-Encoding stays beside Content-Length': (res) => res.set('Transfer-Encoding', 'x').send('x'),
});

const TYPES = [
  'html',
  '.html',
  'js',
  'mjs',
  'xml',
  'svg',
  'txt',
  'text',
  'bin',
  'json',
  'rtf',
  'ico',
  'woff',
  'wasm',
  'yaml',
  'md',
  'csv',
  'unknown',
  '',
  'a/b',
  'text/x',
  'application/javascript',
  'application/json;a=1',
  'text/html; CHARSET=x',
  'JS',
  'png',
];

const REDIRECTS = answers({
  'res.redirect(url, status)': (res) => res.redirect('/a', 301),
  'res.redirect(status, url)': (res) => res.redirect(301, '/a'),
  'res.redirect of nothing': (res) => res.redirect(undefined),
  'res.redirect of a number': (res) => res.redirect(301),
  'res.redirect of an object': (res) => res.redirect({ toString: () => '/made' }),
  'res.location of a number': (res) => res.location(7).send('x'),
  'res.location of an é': (res) => res.location('/é?a=%zz').send('x'),
});

const BACK = [
  { name: 'without a Referrer', send: GET },
  { name: 'with a Referer', send: request('GET /', { Referer: '/from' }) },
  { name: 'with a Referrer', send: request('GET /', { Referrer: 'http://other.example/é' }) },
];

const COOKIES = answers({
  'res.clearCookie': (res) => res.clearCookie('a').send('x'),
  'res.clearCookie with maxAge': (res) => res.clearCookie('a', { maxAge: 900 }).send('x'),
  'res.clearCookie with expires': (res) => res.clearCookie('a', { expires: new Date(86_400_000) }).send('x'),
  'res.cookie with inherited options': (res) =>
    res.cookie('a', 'b', Object.create({ httpOnly: true, path: '/x' })).send('x'),
});

const bodies: readonly Program[] = (['json', 'urlencoded', 'text', 'raw'] as const).map((name) => ({
  ...asking(
    `express.${name}: req.body of every request`,
    (req) => [req.body, (req as unknown as { _body: unknown })._body],
    {
      setup: (app, make) =>
        void app.use((make[name] as (options: object) => express.RequestHandler)({ extended: true })),
      rows: [
        { name: 'without a body', send: GET },
        { name: 'of another type', send: request('POST /', { 'Content-Type': 'x/y' }, 'text') },
        { name: 'of a malformed type', send: request('POST /', { 'Content-Type': 'application/json; charset' }, '{}') },
        {
          name: 'in Latin-1',
          send: request('POST /', { 'Content-Type': 'application/x-www-form-urlencoded; charset=iso-8859-1' }, 'a=1'),
        },
        {
          name: 'compressed by br',
          send: request('POST /', { 'Content-Type': 'application/json', 'Content-Encoding': 'br' }, '{}'),
        },
        { name: 'of JSON', send: request('POST /', { 'Content-Type': 'application/json' }, '{"a":1}') },
        {
          name: 'of a form',
          send: request('POST /', { 'Content-Type': 'application/x-www-form-urlencoded' }, 'a[b]=1&c=2'),
        },
        { name: 'of text', send: request('POST /', { 'Content-Type': 'text/plain' }, 'text') },
        { name: 'of octets', send: request('POST /', { 'Content-Type': 'application/octet-stream' }, 'text') },
      ],
    },
  ),
  of: 4,
}));

const inherited: readonly Program[] = (['json', 'urlencoded', 'text', 'raw'] as const).map((name) => ({
  ...asking(`express.${name}: options that are inherited`, (req) => req.body as unknown, {
    setup: (app, make) => {
      const options = Object.create({ type: 'x/y', limit: 6, extended: true }) as object;
      app.use((make[name] as (options: object) => express.RequestHandler)(options));
    },
    rows: [
      { name: 'a body within the limit', send: request('POST /', { 'Content-Type': 'x/y' }, '{}') },
      { name: 'a body over the limit', send: request('POST /', { 'Content-Type': 'x/y' }, 'a[b]=12') },
    ],
  }),
  of: 4,
}));

type Older = express.Request & Record<string, (...args: unknown[]) => unknown>;
const older = (req: express.Request): Older => req as Older;

const asked: readonly Program[] = [
  asking(
    'members of requests that Express 5 has not',
    (req) => {
      const { host, hostname } = req;
      const names = ['acceptsEncoding', 'acceptsCharset', 'acceptsLanguage'] as const;
      return [host, hostname, names.map((name) => [older(req)[name](), older(req)[name]('gzip', 'utf-8', 'en')])];
    },
    {
      rows: requests([
        ['GET /'],
        ['GET /', { Host: 'example.com:81' }],
        [
          'GET /',
          { 'Accept-Encoding': 'gzip, br', 'Accept-Charset': 'utf-8;q=0.5, *', 'Accept-Language': 'de, en;q=0.1' },
        ],
        ['GET /', { Host: '[::1]:81', 'X-Forwarded-Host': 'other' }],
      ]),
    },
  ),
  asking(
    'req.param',
    (req) => ['id', 'a', 'b', 'none'].map((name) => [older(req)['param'](name), older(req)['param'](name, 'other')]),
    {
      setup: (app, make) => void app.use(make.json()),
      rows: [
        ...requests([['GET /?a=1&id=2'], ['GET /?hasOwnProperty=1']]),
        {
          name: 'a body',
          send: request('POST /?a=1&b=2', { 'Content-Type': 'application/json' }, '{"a":"of the body","id":null}'),
        },
      ],
    },
  ),
  asking(
    'req.query can be written',
    (req) => {
      const own = Object.hasOwn(req, 'query');
      (req as unknown as Record<string, unknown>)['query'] = { written: true };
      return [own, req.query, Object.keys(req).includes('query')];
    },
    { rows: requests([['GET /'], ['GET /?a=1']]) },
  ),
];

interface Layer4 {
  match(path: string): unknown;
  handle: (...args: unknown[]) => unknown;
}
interface Router4 {
  stack: Layer4[];
  process_params: (...args: unknown[]) => unknown;
}

/** Wraps a method so that its calls are counted in a response field. */
function counting(owner: object, method: string, responseAt: number): void {
  const methods = owner as Record<string, (...args: unknown[]) => unknown>;
  const own = methods[method];
  methods[method] = function (...args) {
    const res = args[responseAt] as { setHeader(name: string, value: string): void; getHeader(name: string): unknown };
    res.setHeader('X-Called', String(Number(res.getHeader('X-Called') ?? 0) + 1));
    return own.apply(this, args);
  };
}

function plainLayer(): Layer4 {
  const handle = (req: { url: string }, res: ServerResponse, next: () => void): void => {
    res.setHeader('X-Plain', req.url);
    next();
  };
  return { match: () => true, path: '', handle, handle_request: handle } as never;
}

const CHANGES: Record<string, (router: Router4) => void> = {
  nothing: () => undefined,
  'the handle of the query layer is wrapped': ({ stack }) => counting(stack[0], 'handle', 1),
  'the handle of the init layer is wrapped': ({ stack }) => counting(stack[1], 'handle', 1),
  'handle_request of the query layer is wrapped': ({ stack }) => counting(stack[0], 'handle_request', 1),
  'match of the init layer is its own': ({ stack }) => Object.assign(stack[1], { match: () => false }),
  'the query layer is taken out': ({ stack }) => void stack.shift(),
  'both are taken out': ({ stack }) => void stack.splice(0, 2),
  'they change places': ({ stack }) => void stack.splice(0, 2, stack[1], stack[0]),
  'process_params is wrapped': (router) => counting(router, 'process_params', 3),
  // As passport-stub does it.
  'a plain object is put first': ({ stack }) => void stack.unshift(plainLayer()),
  'a plain object is put behind them': ({ stack }) => void stack.splice(2, 0, plainLayer()),
  'a plain object with a path and params is put behind them': ({ stack }) => {
    const match = (path: string): boolean => path === '/a';
    const found = { path: '/a', params: { own: 1 }, keys: [{ name: 'own' }] };
    stack.splice(2, 0, { ...plainLayer(), ...found, match });
  },
  'a plain object that fails is put first': ({ stack }) => {
    const match = (): never => {
      throw Object.assign(new Error('of match'), { status: 418 });
    };
    stack.unshift({ ...plainLayer(), match });
  },
  'the stack is another': (router) => (router.stack = [...router.stack].reverse()),
};

const openings: readonly Program[] = Object.entries(CHANGES).map(([name, change]) => ({
  name: `the first two layers, when ${name}`,
  of: 4,
  app: (app) => {
    app.get('/:id', (req, res, next) =>
      res.end === undefined ? next() : void res.end(String([typeof req.query, req.url])),
    );
    change((app as unknown as { _router: Router4 })._router);
  },
  rows: requests([['GET /a'], ['GET /a?b=1'], ['GET /a/none']]),
}));

const foreign: Program = {
  name: 'layers of another copy of Express in the stack',
  of: 4,
  app: (app) => {
    app.get('/a', (_req, res) => void res.send('a'));
    const other = oracle.Router();
    other.get('/:id', (req, res, next) => {
      res.set('X-Own', JSON.stringify(req.params));
      next();
    });
    other.use('/a', (req, res, next) => {
      res.set('X-Base', req.baseUrl + req.url);
      next();
    });
    other.post('/:id', (_req, res) => void res.send('posted'));
    const { stack } = (app as unknown as { _router: Router4 })._router;
    stack.splice(2, 0, ...(other as unknown as Router4).stack);
  },
  rows: requests([['GET /a'], ['GET /a/b'], ['POST /a'], ['OPTIONS /a'], ['GET /%zz']]),
};

const PATHS = [
  '*',
  '/*',
  '/a/*',
  '/user/:id(\\d+)',
  '/user/:id?',
  '/:a-:b',
  '/x.:format?',
  '/(ab)?cd',
  '/ab+cd',
  '/:rest*',
  '/a.b',
  '/:0',
];

const paths: readonly Program[] = PATHS.map((path) => ({
  name: `a route at ${path}`,
  of: 4,
  app: (app) => void app.get(path, (req, res) => void res.json([req.params, req.route])),
  rows: requests(
    [
      '/',
      '/a',
      '/a/b',
      '/a/b/',
      '/user/7',
      '/user/x',
      '/user',
      '/user/',
      '/one-two',
      '/x.json',
      '/x',
      '/abcd',
      '/cd',
      '/abbcd',
      '/a.b',
      '/%zz',
    ].map((target) => [`GET ${target}`] as const),
  ),
}));

parities([
  { ...handlers('statuses beside bodies', STATUSES), of: 4 },
  {
    ...handlers(
      'res.type and res.set of Content-Type',
      TYPES.map((type): HandlerRow => [`"${type}"`, ({ res }) => void res.type(type).send('x'), GET]),
    ),
    of: 4,
  },
  {
    ...handlers(
      'res.format of extensions',
      TYPES.filter(Boolean).map((type): HandlerRow => [
        `"${type}"`,
        ({ res }) => void res.format({ [type]: () => res.end('x') }),
        GET,
      ]),
    ),
    of: 4,
  },
  { ...handlers('older redirections', REDIRECTS), of: 4 },
  { name: "res.redirect('back')", app: (app) => void app.use((_req, res) => res.redirect('back')), rows: BACK, of: 4 },
  { ...handlers('cookies that are cleared', COOKIES), of: 4 },
  ...bodies,
  ...inherited,
  ...asked.map((program): Program => ({ ...program, of: 4 })),
  ...paths,
  ...openings,
  foreign,
  {
    name: 'a mount at a dot',
    of: 4,
    app: (app) => void app.use('/a', (req, res) => void res.json([req.url, req.baseUrl, req.path])),
    rows: requests([['GET /a'], ['GET /a.json'], ['GET /a.json/x?y'], ['GET /ab'], ['GET /a/x.y']]),
  },
  {
    name: 'a RegExp mount that ends at a dot',
    of: 4,
    app: (app) => void app.use(/^\/a/, (req, res) => void res.json([req.url, req.baseUrl, req.path])),
    rows: requests([['GET /a'], ['GET /a.json'], ['GET /a.json/x?y'], ['GET /ab'], ['GET /a/x.y']]),
  },
  {
    // Under Express the layers of `query` and `expressInit` catch it.
    name: 'what is thrown before the first handler',
    of: 4,
    app: (app) => {
      app.param('id', (req, _res, next) => {
        Object.assign(req, { params: undefined });
        next();
      });
      app.get('/u/:id', (_req, res) => void res.send('x'));
      const route = app.route('/r') as unknown as { _handles_method: unknown };
      route._handles_method = () => {
        throw new Error('of a route');
      };
    },
    rows: requests([['GET /u/1'], ['GET /u/1?q'], ['GET /r'], ['GET /r?q'], ['GET /none']]),
  },
  {
    name: 'a layer that matches something else from now on',
    of: 4,
    app: (app) => {
      const layers = (): object[] => (app as unknown as App4)._router!.stack;
      app.use((req, _res, next) => {
        if (req.url === '/new') Object.assign(layers().find(isOld)!, { regexp: /^\/(new)$/, keys: [{ name: 'w' }] });
        next();
      });
      const isOld = (layer: object): boolean => (layer as { route?: { path: string } }).route?.path === '/old';
      for (let i = 0; i < 12; i++) app.get(`/other/${i}`, (_req, res) => void res.send('other'));
      app.get('/old', (req, res) => void res.json(req.params));
    },
    rows: requests([['GET /old'], ['GET /new'], ['GET /old']]),
  },
]);

type App4 = Omit<express.Express, '_router'> & {
  _router?: { stack: { name: string; regexp: RegExp; keys: unknown; route?: object }[] };
  lazyrouter(): void;
  del(path: string, handle: () => void): unknown;
};

const make4 = (make: () => unknown): App4 => make() as App4;
const nothing = (): void => undefined;

scenes({
  'app._router is made by the first that needs one': (make) => {
    const app = make4(make);
    const before = '_router' in app;
    app.use(nothing);
    return [before, app._router?.stack.map(({ name }) => name)];
  },
  'app.lazyrouter makes it once': (make) => {
    const app = make4(make);
    app.lazyrouter();
    const { _router } = app;
    app.lazyrouter();
    return [app._router === _router, app._router?.stack.length];
  },
  'app.router throws': (make) => make().router,
  'layers as tools list them': (make) => {
    const app = make4(make);
    app.get('/user/:id', nothing);
    app.use('/static', nothing);
    app.all('*', nothing);
    app.use('/sub', make.Router());
    return app._router?.stack.map(({ name, regexp, keys, route }) => [
      name,
      regexp,
      { ...regexp },
      keys,
      route !== undefined,
    ]);
  },
  'what a handler returns is not looked at': (make) => {
    const asked: string[] = [];
    const returning = (name: string): never => ({ then: () => asked.push(name) }) as never;
    const router = make.Router();
    router.param('id', () => returning('param'));
    router.use((_req, _res, next) => (next(), returning('use')));
    router.get('/:id', () => returning('get'));
    router(...([{ method: 'GET', url: '/a' }, {}, nothing] as unknown as Parameters<typeof router>));
    return asked;
  },
  'app.del': (make) => {
    const app = make4(make);
    app.del('/a', nothing);
    return app._router?.stack.length;
  },
  'app.get of names that every object has': (make) => {
    const app = make();
    return ['hasOwnProperty', 'toString', '__proto__', 'constructor'].map((name) => app.get(name) === undefined);
  },
  'settings inherit from a parent': (make) => {
    const [parent, child] = [make(), make()];
    parent.set('title', 'of the parent');
    parent.use(child);
    return [child.get('title'), Object.keys(child.settings as object)];
  },
  'a setting named like a method': (make) => make().set('toString', nothing).get('toString') === nothing,
  'app.param of a function': (make) => {
    const app = make() as unknown as { param(...args: unknown[]): unknown };
    const returned = app.param((name: string, given: unknown) => (given instanceof RegExp ? () => name : undefined));
    return [returned === app, app.param('id', /\d/) === app];
  },
  'router.param without a callback': (make) => (make.Router() as unknown as { param(name: string): void }).param('id'),
  'router.use without a handler': (make) => make.Router().use('/a'),
  'router.use of an object': (make) => make.Router().use({} as never),
  'router.use of null': (make) => make.Router().use(null as never),
  'a route without handlers': (make) =>
    (make().route('/a') as unknown as { get(): { stack: unknown[] } }).get().stack.length,
  'a route with an object': (make) => make().get('/a', {} as never),
  'app.all with text': (make) => make().all('/a', 'x' as never),
  'a path that makes no RegExp': (make) => make().get('/(a', nothing),
  'a path that is none': (make) => make().get(7 as never, nothing),
  'query parser false': (make) => (make().set('query parser', false).get('query parser fn') as () => unknown)(),
  'new applications have the extended query parser': (make) => [make().get('query parser'), make().get('etag')],
  'express.query with options': (make) => {
    const query = (make as unknown as { query(options: unknown): (req: object, res: object, next: () => void) => void })
      .query;
    return [{ depth: 0 }, undefined, (text: unknown) => [text]].map((options) => {
      const req = { url: '/?a[b]=1&c' };
      query(options)(req, {}, nothing);
      return (req as { query?: unknown }).query;
    });
  },
  'app.render without options': (make) =>
    (make() as unknown as { render(...args: unknown[]): void }).render('x', undefined, nothing),
  'what was removed': (make) => (make as unknown as Record<string, unknown>)['bodyParser'],
  'media types that are added count': (make) => {
    const { mime } = make.static as unknown as { mime: { define(types: object): void; lookup(path: string): string } };
    mime.define({ 'x/added': ['added'] });
    return [mime.lookup('a.added'), mime.lookup('a.js')];
  },
});
