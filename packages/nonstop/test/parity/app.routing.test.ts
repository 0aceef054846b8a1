import type express = require('express');
import {
  choosing,
  parities,
  request,
  requests,
  tell,
  type Build,
  type Framework,
  type Next,
  type Program,
} from './stage.js';

/** Appends its position to the answer and calls `next()`. */
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

/** The same routes in a router with each option, in a mounted application, and in the application itself. */
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

/** Each method on routes that know some methods: HEAD is answered by GET, OPTIONS automatically. */
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
    app.head('/head', mark('head'), end).get('/head', mark('get'), end);
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
  [
    'a thenable that is kept, and next',
    ((_req: unknown, _res: unknown, next: Next) => ({ then: (ok: () => void) => (ok(), next()) })) as never,
  ],
  ['a thenable that fails with nothing', (() => ({ then: (_ok: unknown, bad: () => void) => bad() })) as never],
  [
    'a thenable whose then throws',
    (() => ({
      then: () => {
        throw new Error('then itself');
      },
    })) as never,
  ],
  [
    'a thenable that fails twice',
    (() => ({
      then: (_ok: unknown, bad: (error: unknown) => void) => (bad(new Error('once')), bad(new Error('twice'))),
    })) as never,
  ],
  [
    'an object with a then that is no function',
    ((_req: unknown, _res: unknown, next: Next) => (next(), { then: 1 })) as never,
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

/** Where the signal is passed to `next()`. */
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
    app.param('p', (req, res, next) => signal(req, res, next));
    app.get('/:p', mark('same route'));
    app.use('/:p', mark('same use'));
  },
};

/** The layers before and after that place, and the end. */
function around(app: express.Express, put: () => void): void {
  app.use(mark('start'));
  put();
  app.use(mark('behind'), markError('behind'));
  app.use(
    end,
    markError('last', (error, next) => next(error)),
  );
}

/** One application for all signals of a place, except for signals where the number of parameters matters. */
const signals = Object.entries(PLACES).flatMap(([place, put]): Program[] => {
  const [common, counted] = [SIGNALS, SIGNALS].map((all, i) =>
    all.filter(([, signal]) => signal.length > 3 === (i === 1)),
  );
  const sent = common.flatMap(([name, signal]) =>
    ['GET', 'POST'].map((method) => [`${name}, ${method}`, signal, request(`${method} /a`)] as const),
  );
  return [
    choosing(`signals ${place}`, sent, (app, make, { pick }) =>
      around(app, () => put(app, make, (req, res, next) => pick(req)(req, res, next))),
    ),
    // If the signal is called with only three arguments, a handler with more parameters never answers.
    ...(/error handler|param callback/.test(place) ? [] : counted).map(([name, signal]): Program => ({
      name: `${name} ${place}`,
      app: (app, make) => around(app, () => put(app, make, signal)),
      rows: requests([['GET /a'], ['POST /a']]),
    })),
  ];
});

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
  [
    'leaving the route for one value',
    (app) => {
      app.param('id', (_req, res, next, value) => {
        res.append('X-Param', encodeURIComponent(value));
        next(value === 'a' ? 'route' : undefined);
      });
      app.get('/:id/:other', mark('first')).get('/:other/:id', mark('second'), end);
      app.use(end);
    },
  ],
  [
    'of a route without the method: HEAD enters it all the same',
    (app) => {
      app.param('id', (_req, res, next, value) => {
        res.append('X-Param', encodeURIComponent(value));
        next();
      });
      app.post('/:id', end);
      app.put('/:id/:other', mark('put'));
      app.use((req, res, next) => {
        res.append('X-Route', String(req.route?.path));
        end(req, res, next);
      });
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
    ['GET /a/b'],
    ['GET /%zz'],
    ['GET /a/%zz'],
    ['POST /x/y'],
    ['HEAD /a'],
    ['HEAD /b/c'],
  ]),
}));

/** `req.route` in the handlers of a route, when a param callback has changed it. */
const routed: Program = {
  name: 'param callbacks that write req.route, or send the request through another router',
  app: (app, make) => {
    const other = make.Router();
    other.get('/by-router/:id', (_req, _res, next) => next());
    app.param('id', (req, res, next) => {
      if (req.url.startsWith('/by-router')) other(req, res, next);
      else {
        (req as { route: unknown }).route = { path: 'written' };
        if (req.url.startsWith('/later')) setImmediate(next);
        else next();
      }
    });
    const shown: express.RequestHandler = (req, res) => tell(res, () => (req.route as { path: string }).path);
    for (const path of ['/by-router/:id', '/written/:id', '/later/:id']) {
      app.get(path, shown);
      app.get(`${path}/two`, (_req, _res, next) => next(), shown);
    }
    app.use('/written/:id/used', shown);
  },
  rows: requests(
    ['/by-router/1', '/written/1', '/later/1']
      .flatMap((path) => [[`GET ${path}`], [`GET ${path}/two`]])
      .concat([['GET /written/1/used']]) as [string][],
  ),
};

/** Numbered groups of a RegExp, after those of the routers around it. */
const merged = [true, false].map((mergeParams): Program => ({
  name: `groups of RegExps in routers in each other, mergeParams: ${mergeParams}`,
  app: (app, make) => {
    const [outer, inner] = [make.Router({ mergeParams }), make.Router({ mergeParams })];
    const shown: express.RequestHandler = (req, res, next) => {
      res.append('X-Params', encodeURIComponent(JSON.stringify([req.url, req.params])));
      next();
    };
    inner.get(/^\/(\w)(\w)$/, shown);
    inner.get(/^\/(?<name>\w+)(x)?$/, shown);
    inner.get('/:name', shown);
    inner.use(shown);
    outer.use(/^\/(\w)/, shown, inner);
    outer.use('/:name', inner);
    outer.get(/^\/(\w)\/(\w+)$/, shown);
    app.use(/^\/(\d)(\d)?/, outer);
    app.use('/:first', outer);
    app.use((req, res) => tell(res, () => req.params));
  },
  rows: requests([
    ['GET /1/a/bc'],
    ['GET /12/a/bc'],
    ['GET /12/a/x'],
    ['GET /p/a/bc'],
    ['GET /p/q'],
    ['GET /1'],
    ['GET /'],
  ]),
}));

/** A router's automatic answer to OPTIONS, in cases where it can no longer be sent as usual. */
const options: Program = {
  name: 'the answer to OPTIONS, when something was there before',
  app: (app, make) => {
    app.use('/begun', (_req, res, next) => {
      res.write('begun');
      next();
    });
    app.use('/ended', (_req, res, next) => {
      res.end('ended');
      next();
    });
    app.use('/fields', (_req, res, next) => {
      res.status(202).set({ Allow: 'MINE', 'Content-Type': 'x/y', 'X-Own': '1' });
      next();
    });
    app.use('/failed', (_req, _res, next) => next(new Error('before')));
    app.use('/patched', (_req, res, next) => {
      res.setHeader = () => {
        throw new Error('no fields today');
      };
      next();
    });
    app.use('/method', (req, _res, next) => {
      req.method = 'PATCH';
      next();
    });
    app.use('/asked', (req, _res, next) => {
      req.method = 'OPTIONS';
      next();
    });
    app.get('/asked', end);
    const router = make.Router();
    router.get('/', end).delete('/', end);
    app.use(['/begun', '/ended', '/fields', '/failed', '/patched', '/method', '/plain'], router);
    app.post('/plain', end).all('/every', end);
  },
  rows: requests([
    ...['begun', 'ended', 'fields', 'failed', 'patched', 'method', 'plain', 'every', 'none', 'asked'].map(
      (path) => [`OPTIONS /${path}`] as const,
    ),
    ['GET /asked'],
  ]),
};

parities([routed, ...cased, ...appCased, methods, ...signals, ...params, ...merged, options]);
