import type express = require('express');
import { inspect } from 'node:util';
import {
  parities,
  pipelined,
  requests,
  tell,
  type Build,
  type Framework,
  type Program,
  type Requests,
} from './stage.js';

/** Settings that change answers, each with valid and invalid values; an error of `set` is the answer. */
const SETTINGS: readonly (readonly [name: string, values: readonly unknown[]])[] = [
  ['x-powered-by', [true, false, undefined, '', 'anything', 0]],
  ['etag', [true, false, 'weak', 'strong', undefined, null, '', 'odd', 7, () => '"own"', () => '', () => null]],
  ['env', ['production', 'test', '']],
  ['json spaces', [0, 1, 11, -1, '', ' ', '0123456789abc', true, null]],
  ['json escape', [true, false, 'yes', 0]],
  ['json replacer', [null, [], ['a'], (key: string, value: unknown) => (key === 'b' ? 'own' : value), 'text']],
  ['jsonp callback name', ['cb', 'callback', '', undefined, 'a b']],
  ['query parser', [true, false, 'simple', 'extended', undefined, null, '', 'odd', 0, 1, (text: string) => ({ text })]],
  ['subdomain offset', [0, 1, 2, 9, -1, '1', undefined, null]],
  [
    'trust proxy',
    [
      true,
      false,
      0,
      1,
      2,
      '',
      '0',
      '1',
      'loopback',
      'nowhere',
      '10.0.0.0/33',
      ['::1', 'loopback'],
      [],
      null,
      undefined,
      {},
      () => true,
    ],
  ],
  ['case sensitive routing', [true, false, 'yes', undefined]],
  ['strict routing', [true, false, 1, null]],
  ['view cache', [true, false]],
  ['own setting', ['value', { a: 1 }, undefined]],
];

const whole = (req: express.Request, res: express.Response): void => {
  const { ip, ips, protocol, host, hostname, subdomains, query } = req;
  res.set(
    'X-Settings',
    encodeURIComponent(inspect([req.app.get('own setting'), req.app.enabled('view cache'), req.app.get('env')])),
  );
  res.jsonp({ a: '<&>', b: [1, { c: 2 }], request: { ip, ips, protocol, host, hostname, subdomains, query } });
};

const serving = (app: express.Express): void => {
  app
    .get('/Mixed', whole)
    .get('/plain', whole)
    .get('/plain/', (_req, res) => void res.send('with a slash'));
};

const REQUESTS: Requests = [
  [
    'GET /plain?a[b]=1&callback=f',
    {
      Host: 'x.y.example.com',
      'X-Forwarded-For': '10.0.0.1, 10.0.0.2',
      'X-Forwarded-Proto': 'https',
      'X-Forwarded-Host': 'o.p.q.example',
    },
  ],
  ['GET /mixed?cb=g'],
  ['GET /PLAIN/'],
  ['HEAD /Mixed', { 'If-None-Match': '*' }],
];

/** Sets the value; if that throws, answers every request with the error. */
const trying =
  (set: (app: express.Express) => void): Build =>
  (app) => {
    try {
      set(app);
    } catch (error) {
      app.use((_req, res) => void res.end(`set throws ${String(error)}`));
    }
    serving(app);
  };

const own = SETTINGS.flatMap(([name, values]) =>
  values.map((value, i): Program => ({
    name: `app.set('${name}', ${typeof value === 'function' ? `function ${i}` : inspect(value)})`,
    app: trying((app) => void app.set(name, value)),
    rows: pipelined(REQUESTS.slice(0, 3)),
  })),
);

/** The settings that a mounted application inherits, set before and after it is mounted, and its own. */
const ORDERS: Record<
  string,
  (parent: express.Express, child: express.Express, values: (app: express.Express) => void) => void
> = {
  'the parent before': (parent, child, set) => (set(parent), void parent.use('/m', child)),
  'the parent after': (parent, child, set) => (parent.use('/m', child), set(parent)),
  'the child before': (parent, child, set) => (set(child), void parent.use('/m', child)),
  'the child after': (parent, child, set) => (parent.use('/m', child), set(child)),
};

const INHERITED: readonly (readonly [string, unknown])[] = [
  ['x-powered-by', false],
  ['etag', 'strong'],
  ['query parser', 'extended'],
  ['subdomain offset', 1],
  ['trust proxy', true],
  ['json spaces', 1],
  ['jsonp callback name', 'cb'],
  ['case sensitive routing', true],
  ['strict routing', true],
  ['own setting', 'own'],
];

const inherited = Object.entries(ORDERS).flatMap(([order, mount]) =>
  INHERITED.map(([name, value]): Program => ({
    name: `a mounted application where '${name}' is set on ${order}`,
    app: (app, make: Framework) => {
      const child = make();
      serving(child);
      mount(app, child, (on) => void on.set(name, value));
      app.get('/path', (_req, res) =>
        tell(res, () => [app.path(), child.path(), child.mountpath, app.mountpath, child.get(name)]),
      );
      serving(app);
    },
    rows: pipelined([
      ...REQUESTS.slice(0, 2),
      ['GET /m/plain?a[b]=1&cb=f', { 'X-Forwarded-For': '10.0.0.1' }],
      ['GET /m/mixed'],
      ['GET /M/plain/'],
      ['GET /path'],
    ]),
  })),
);

const asked: Program = {
  name: 'app.get, enabled, disabled, enable, disable and set, chained',
  app: (app) => {
    const names = [
      'etag',
      'etag fn',
      'env',
      'views',
      'view engine',
      'x-powered-by',
      'trust proxy',
      'trust proxy fn',
      'query parser',
      'query parser fn',
      'subdomain offset',
      'jsonp callback name',
      'strict routing',
      'case sensitive routing',
      'view cache',
      'json spaces',
      'absent',
      '__proto__',
      'toString',
    ];
    app.get('/:name', (req, res) => {
      const { name } = req.params;
      tell(res, () => [
        typeof app.get(name),
        typeof app.get(name) === 'function' ? '' : app.get(name),
        app.enabled(name),
        app.disabled(name),
        name in app.settings,
      ]);
    });
    app.post('/:name', (req, res) => {
      const { name } = req.params;
      tell(res, () => [app.enable(name) === app, app.enabled(name), app.disable(name) === app, app.get(name)]);
    });
    app.use((_req, res) => void res.json(names));
  },
  rows: requests(
    [
      'etag',
      'etag%20fn',
      'env',
      'view%20engine',
      'x-powered-by',
      'trust%20proxy',
      'trust%20proxy%20fn',
      'query%20parser',
      'query%20parser%20fn',
      'subdomain%20offset',
      'jsonp%20callback%20name',
      'strict%20routing',
      'view%20cache',
      'absent',
      'toString',
    ].flatMap((name) => [
      [`GET /${name}`] as const,
      ...(name.includes('%') || name === 'etag' ? [] : [[`POST /${name}`] as const]),
    ]),
  ),
};

parities([...own, ...inherited, asked]);
