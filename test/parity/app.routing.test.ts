import type express = require('express');
import {
  parities,
  request,
  requests,
  tell,
  type Build,
  type Framework,
  type Next,
  type Program,
  type Row,
} from './stage.js';

/** Adds where it was to the answer and passes on. */
const mark =
  (where: string): express.RequestHandler =>
  (_req, res, next) => {
    res.append('X-Trail', where);
    next();
  };

const passing =
  (where: string, signal: unknown): express.RequestHandler =>
  (_req, res, next) => {
    res.append('X-Trail', where);
    next(signal as string);
  };

const markError =
  (
    where: string,
    then: (error: unknown, next: Next) => unknown = (error, next) => next(error),
  ): express.ErrorRequestHandler =>
  (error, _req, res, next) => {
    res.append('X-Trail', encodeURIComponent(`${where}: ${String(error)}`));
    return then(error, next as Next);
  };

const end: express.RequestHandler = (req, res) => tell(res, () => [req.method, req.url, req.params, req.route?.path]);

const CASED = ['/A', '/a', '/a/', '/A/', '/a/b', '/A/B', '/a/B/', '//a', '/b/a', '/B/a/', '/c', '/c/', '/C/x', '/'];
const CHOICES = [
  {},
  { caseSensitive: true },
  { strict: true },
  { caseSensitive: true, strict: true },
  { mergeParams: true },
  { caseSensitive: false, strict: false, mergeParams: false },
];

const routes = (on: express.Router): void => {
  on.get('/a', mark('get /a'));
  on.get('/a/', mark('get /a/'));
  on.get('/A/B', mark('get /A/B'));
  on.use('/a', mark('use /a'));
  on.use('/A/', mark('use /A/'));
  on.all('/:x/b', mark('all /:x/b'));
  on.get(/^\/a$/, mark('RegExp'));
  on.get(['/b/a', '/c/'], mark('list'));
  on.get('/', mark('get /'));
};

/** The same routes in a router of each choice, in a mounted application and in the application itself. */
const cased = CHOICES.map((options): Program => ({
  name: `Router(${JSON.stringify(options)})`,
  app: (app, make) => {
    const router = make.Router(options);
    routes(router);
    app.use(router, mark('behind'));
    app.use('/:p', router, end);
    app.use(end);
  },
  rows: requests(CASED.map((path) => [`GET ${path}`] as const)),
}));

const appCased = [[], ['case sensitive routing'], ['strict routing'], ['case sensitive routing', 'strict routing']].map(
  (settings): Program => ({
    name: `app with ${settings.join(' and ') || 'default routing'}`,
    app: (app, make) => {
      for (const setting of settings) app.enable(setting);
      const child = make();
      routes(child as never);
      routes(app as never);
      app.use(child);
      app.use('/b', child);
      app.use(end);
    },
    rows: requests(CASED.map((path) => [`GET ${path}`] as const)),
  }),
);

const VERBS = ['get', 'head', 'post', 'put', 'delete', 'patch', 'options', 'query', 'm-search', 'propfind'];

/** Every method against routes that know some of them: HEAD by GET, and OPTIONS answered by itself. */
const methods: Program = {
  name: 'app.METHOD, app.all, app.route and the answer to OPTIONS',
  app: (app, make) => {
    const router = make.Router();
    router.get('/in', mark('router get')).post('/in', mark('router post'));
    app.get('/get', end);
    app.post('/post', end);
    app.all('/all', end);
    app.get('/both', mark('get'), end).put('/both', end);
    app.route('/chain').all(mark('all')).get(end).delete(mark('delete'), end);
    app.head('/head', end).get('/head', end);
    app.options('/options', end);
    app.use('/sub', router);
    app.get('/sub/in', mark('app get'), end);
    app.get('/twice', mark('first')).get('/twice', end).post('/twice', end);
    (app as unknown as Record<string, (path: string, handler: unknown) => void>)['m-search']('/search', end);
  },
  rows: requests(
    VERBS.flatMap((verb) =>
      ['get', 'post', 'all', 'both', 'chain', 'head', 'options', 'sub/in', 'twice', 'search', 'none'].map(
        (path) => [`${verb.toUpperCase()} /${path}`] as const,
      ),
    ),
  ),
};

type Signal = readonly [name: string, handler: express.RequestHandler];

const thrown =
  (value: unknown): express.RequestHandler =>
  () => {
    throw value;
  };

const SIGNALS: readonly Signal[] = [
  ['next()', passing('signal', undefined)],
  ["next('route')", passing('signal', 'route')],
  ["next('router')", passing('signal', 'router')],
  ['next(error)', passing('signal', new Error('passed'))],
  ['next(0)', passing('signal', 0)],
  ['next(null)', passing('signal', null)],
  ["next('')", passing('signal', '')],
  ["next('text')", passing('signal', 'text')],
  ['next({})', passing('signal', { status: 409 })],
  ['throw', thrown(new Error('thrown'))],
  ["throw 'route'", thrown('route')],
  ["throw 'router'", thrown('router')],
  ['throw undefined', thrown(undefined)],
  ['throw null', thrown(null)],
  ['throw with status', thrown(Object.assign(new Error('teapot'), { status: 418 }))],
  ['reject', () => Promise.reject(new Error('rejected'))],
  ['reject with nothing', () => Promise.reject()],
  ["reject with 'route'", () => Promise.reject('route')],
  [
    'resolve and next',
    (async (_req, _res, next) => {
      await Promise.resolve();
      next();
    }) as express.RequestHandler,
  ],
  [
    'resolve and fail',
    (async () => {
      await Promise.resolve();
      throw new Error('late');
    }) as express.RequestHandler,
  ],
  [
    'a thenable that fails',
    (() => ({ then: (_ok: unknown, bad: (error: unknown) => void) => bad(new Error('thenable')) })) as never,
  ],
  ['next later', (_req, _res, next) => void setImmediate(next)],
  ['next later with an error', (_req, _res, next) => process.nextTick(next, new Error('later'))],
  ['a handler of four parameters', ((_e: unknown, _q: unknown, _s: unknown, n: Next) => n()) as never],
  [
    'a handler of no parameters',
    function (this: unknown, ...args: unknown[]) {
      (args[2] as Next)();
    } as never,
  ],
  [
    'a handler of five parameters',
    ((_a: unknown, _b: unknown, _c: unknown, _d: unknown, _e: unknown) => undefined) as never,
  ],
];

/** Where the signal is given. */
const PLACES: Record<string, (app: express.Express, make: Framework, signal: express.RequestHandler) => void> = {
  'in middleware': (app, _make, signal) => void app.use(signal, mark('same use')),
  'in a route': (app, _make, signal) => void app.get('/a', signal, mark('same route')).get('/a', mark('next route')),
  'in route.all': (app, _make, signal) => void app.route('/a').all(signal).get(mark('same route')),
  'in a router': (app, make, signal) => {
    const router = make.Router();
    router.get('/a', signal, mark('same route'));
    router.use(mark('same router'), markError('error in router'));
    app.use(router, mark('beside the router'));
  },
  'in a router in a router': (app, make, signal) => {
    const [outer, inner] = [make.Router(), make.Router()];
    inner.use(signal, markError('inner'));
    outer.use('/a', inner, mark('outer'), markError('outer'));
    app.use(outer);
  },
  'in a mounted application': (app, make, signal) => {
    const child = make();
    child.use(signal, mark('child'), markError('child'));
    app.use('/a', child, mark('beside the child'));
  },
  'in an error handler': (app, _make, signal) => {
    app.use(thrown(new Error('first')), mark('not to be seen'));
    app.use(((_error: unknown, req: express.Request, res: express.Response, next: express.NextFunction) =>
      signal(req, res, next)) as express.ErrorRequestHandler);
    app.use(mark('recovered'));
  },
  'in a param callback': (app, _make, signal) => {
    app.param('p', (req, res, next) => void signal(req, res, next));
    app.get('/:p', mark('same route'));
    app.use('/:p', mark('same use'));
  },
};

/** Promises of param callbacks go unheard and end the process; the error handler here calls its signal with three arguments. */
const mayStand = (name: string, place: string): boolean =>
  (place !== 'in a param callback' || !/reject|resolve|thenable|parameters/.test(name)) &&
  (place !== 'in an error handler' || !/four|five/.test(name));

const signals = Object.entries(PLACES).flatMap(([place, put]) =>
  SIGNALS.filter(([name]) => mayStand(name, place)).map(([name, signal]): Program => ({
    name: `${name} ${place}`,
    app: (app, make) => {
      app.use(mark('start'));
      put(app, make, signal);
      app.use(mark('behind'), markError('behind'));
      app.use(
        end,
        markError('last', (error, next) => next(error)),
      );
    },
    rows: requests([['GET /a'], ['POST /a']]),
  })),
);

const PARAMS: readonly (readonly [string, Build])[] = [
  [
    'called once a value and router',
    (app, make) => {
      const router = make.Router({ mergeParams: true });
      const seen =
        (where: string) =>
        (_req: express.Request, res: express.Response, next: express.NextFunction, value: unknown, name: string) => {
          res.append('X-Param', encodeURIComponent(`${where} ${name}=${String(value)}`));
          next();
        };
      router.param('id', seen('router'));
      router.get('/:id', mark('inner'));
      app.param('id', seen('app 1'));
      app.param('id', seen('app 2'));
      app.param(['one', 'two'], seen('list'));
      app.use('/:id', mark('use'), router);
      app.get('/:id/:two', mark('get')).get('/:one/:id', mark('again'));
      app.use(end);
    },
  ],
  [
    'changing the value',
    (app) => {
      app.param('id', (req, _res, next, value) => {
        req.params['id'] = `changed ${value}`;
        next();
      });
      app.get('/:id', mark('first')).get('/:id', end);
      app.get('/:id/:other', end);
    },
  ],
];

const params = PARAMS.map(([name, app]): Program => ({
  name: `app.param, ${name}`,
  app,
  rows: requests([
    ['GET /a'],
    ['GET /b/c'],
    ['GET /%41/b%20c'],
    ['GET /a/a'],
    ['GET /%zz'],
    ['GET /a/%zz'],
    ['POST /x/y'],
  ]),
}));

const many: Row[] = [request('GET /'), request('GET /deep'), request('GET /deep?x')].map((send, i) => ({
  name: `request ${i}`,
  send,
}));

parities([
  ...cased,
  ...appCased,
  methods,
  ...signals,
  ...params,
  {
    name: 'thousands of layers, and routes added while serving',
    app: (app) => {
      for (let i = 0; i < 3_000; i++) app.use((_req, _res, next) => next());
      for (let i = 0; i < 500; i++) app.get(`/deep`, (_req, _res, next) => next());
      let added = 0;
      app.use((_req, _res, next) => {
        const now = ++added;
        app.get('/deep', (_q, res, pass) => {
          res.append('X-Added', String(now));
          pass();
        });
        next();
      });
      app.use(end);
    },
    rows: many,
  },
]);
