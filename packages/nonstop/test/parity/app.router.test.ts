import { inspect } from 'node:util';
import type express = require('express');
import type { Framework } from '../support/framework.js';
import { oracle } from '../support/oracle.js';
import { scenes, tried, type Scene } from '../support/scenes.js';
import { parities, requests, tell, type Loose, type Program } from './stage.js';

// What tools read from a router and change in it: tools that list routes, remove them, wrap handlers or build layers by hand.

/** `express.Route` exists, although the widely used types do not declare it. */
const routeClass = (make: Framework): new (path: string) => Loose =>
  (make as unknown as { Route: new (path: string) => Loose }).Route;

interface LayerLike {
  name: string;
  handle: ((...args: unknown[]) => unknown) & { stack?: LayerLike[]; name: string };
  route?: { path: unknown; stack: LayerLike[]; methods: Record<string, boolean> };
  method?: string;
  slash: boolean;
  matchers: ((path: string) => unknown)[];
  match(path: string): unknown;
}

interface RouterLike extends Record<string, unknown> {
  stack: LayerLike[];
  params: Record<string, unknown[]>;
  listRoutes(): { path: unknown; methods?: string[]; router?: unknown }[];
}

/** The methods that an object has or inherits, each with the number of its arguments. */
function lengths(object: object): unknown {
  const found: [string, number][] = [];
  for (const name in object) {
    const value = propertyOf(object, name)?.value as unknown;
    if (typeof value === 'function') found.push([name, value.length]);
  }
  return found.toSorted(([one], [other]) => (one < other ? -1 : 1));
}

/** Not by its value, because accessors of a prototype fail without a message. */
function propertyOf(object: object, name: string): PropertyDescriptor | undefined {
  let owner: object | null = object;
  while (owner !== null && !Object.hasOwn(owner, name)) owner = Object.getPrototypeOf(owner) as object | null;
  return owner === null ? undefined : Object.getOwnPropertyDescriptor(owner, name);
}

const routerOf = (app: express.Express): RouterLike => app.router as unknown as RouterLike;

/** An application with each kind of layer. */
function furnished(make: Framework): express.Express {
  const app = make();
  const [router, child] = [make.Router({ mergeParams: true, strict: true }), make()];
  app.use(function first(_req, _res, next) {
    next();
  });
  app.use('/files/:name', (_req, _res, next) => next());
  app.use(make.json(), make.urlencoded(), make.text(), make.raw(), make.static('.'));
  router
    .route('/inner/:id')
    .get((_req, res) => void res.end())
    .post((_req, res) => void res.end());
  router.use(
    '/deep',
    make.Router().get('/', (_req, res) => void res.end()),
  );
  child.get('/child', (_req, res) => void res.end());
  app.use('/api', router);
  app.use(['/one', '/two'], child);
  app.get(
    '/users/:id',
    function load(_req, _res, next) {
      next();
    },
    (_req, res) => void res.end(),
  );
  app.all('/all', (_req, res) => void res.end());
  app.route('/chain').all(function each(_req, _res, next) {
    next();
  });
  app.get(['/list', /^\/re(g)?/], (_req, res) => void res.end());
  app.head('/head', (_req, res) => void res.end());
  app.use((_error: unknown, _req: unknown, _res: unknown, _next: unknown) => undefined);
  return app;
}

/** What a tool finds when it walks the stack, depth first. */
function walked(stack: readonly LayerLike[]): unknown[] {
  return stack.map((layer) => {
    const { name, route, method, slash, matchers, handle } = layer;
    return {
      name,
      method,
      slash,
      matchers: matchers.length,
      takes: handle.length,
      handle: handle.name,
      route: route && { path: route.path, methods: { ...route.methods }, stack: walked(route.stack) },
      inside: Array.isArray(handle.stack) ? walked(handle.stack) : undefined,
      kind: (layer as object).constructor.name,
    };
  });
}

const BAD_HANDLERS: readonly unknown[] = [
  undefined,
  null,
  'text',
  7,
  {},
  [],
  [[]],
  [undefined],
  [() => undefined, 'x'],
];

/** Calls a method with invalid arguments, one after another. */
const refuses =
  (target: (make: Framework) => Record<string, unknown>, method: string, before: readonly unknown[]): Scene =>
  (make) =>
    BAD_HANDLERS.map((bad) => {
      const on = target(make) as Record<string, (...args: unknown[]) => unknown>;
      return tried(() => on[method](...before, bad) === on);
    });

const appOf = (make: Framework): Record<string, unknown> => make() as unknown as Record<string, unknown>;
const routerIn = (make: Framework): Record<string, unknown> => make.Router() as unknown as Record<string, unknown>;
const routeIn = (make: Framework): Record<string, unknown> =>
  make.Router().route('/x') as unknown as Record<string, unknown>;

scenes({
  'the stack of an application, walked': (make) => walked(routerOf(furnished(make)).stack),
  'names that a router shows': (make) => {
    const router = make.Router({ caseSensitive: true }) as unknown as RouterLike;
    const names: string[] = [];
    for (const name in router) if (Object.hasOwn(router, name)) names.push(name);
    return [names.toSorted(), typeof router, router['length'], router['name'], Object.keys(router.params)];
  },
  'names that a layer and a route show': (make) => {
    const app = make().get('/x', () => undefined);
    const [layer] = routerOf(app).stack;
    const shown = ['handle', 'name', 'rawPath', 'slash', 'matchers', 'route'].map((name) => name in layer);
    return [shown, Object.keys(layer.route as object).toSorted()];
  },
  'what a layer says about a path': (make) => {
    const { stack } = routerOf(furnished(make));
    const paths = ['/', '/users/7', '/USERS/%41', '/api/x', '/two/x', '/regx', '/list', '/files/a/b', '/chain/'];
    return stack.map((layer) =>
      [...paths, null, undefined].map((path) => {
        const match = layer.match(path as string) as
          | { params: object; path: string; keys: string[]; pattern: unknown }
          | false;
        return match === false ? false : [{ ...match.params }, match.path, match.keys, String(match.pattern)];
      }),
    );
  },
  'listRoutes of everything': (make) =>
    routerOf(furnished(make))
      .listRoutes()
      .map(({ path, methods, router }) => [String(path), methods, typeof router]),
  'the router of an application is one, made when it is asked for': (make) => {
    const app = make().enable('strict routing');
    const { router } = app;
    app.disable('strict routing');
    return [
      app.router === router,
      (router as unknown as RouterLike)['strict'],
      Object.getOwnPropertyDescriptor(app, 'router')?.enumerable,
      '_router' in app,
    ];
  },
  'how many arguments each method has': (make) =>
    [make(), make.Router(), make.Router().route('/'), make.request, make.response].map(lengths),
  'Router with and without new, and its prototype': (make) => {
    const Router = make.Router as unknown as { new (): object; (): object; prototype: object; Route: unknown };
    const [called, made] = [Router(), new Router()];
    return [
      called instanceof Router,
      made instanceof Router,
      typeof Router.prototype,
      (Router.prototype as { name?: string }).name,
      Router.length,
      Router.name,
      Router.Route === routeClass(make),
      Object.getPrototypeOf(Object.getPrototypeOf(called)) === Router.prototype,
      ['call', 'apply', 'bind', 'get', 'all', 'use', 'param', 'route', 'handle'].map(
        (name) => typeof (called as Record<string, unknown>)[name],
      ),
    ];
  },
  'express.Route by itself': (make) => {
    const route = new (routeClass(make))('/x');
    const { get, head, post, all, _handlesMethod: handles, _methods: methods } = route;
    const asked = (): unknown =>
      [['GET'], ['HEAD'], ['post'], ['DELETE'], [undefined], [7]].map(([method]) => handles.call(route, method));
    const before = [asked(), methods.call(route)];
    get.call(route, () => undefined);
    const withGet = [asked(), methods.call(route), methods.call(route, true)];
    head.call(route, () => undefined);
    post.call(route, [() => undefined, [() => undefined]]);
    const withMore = [asked(), methods.call(route)];
    all.call(route, () => undefined);
    return [
      before,
      withGet,
      withMore,
      asked(),
      methods.call(route, true),
      (route as unknown as { path: unknown }).path,
    ];
  },
  'express.Route without handlers passes on': (make) => {
    const given: unknown[] = [];
    const route = new (routeClass(make))('/x');
    route['dispatch']({ method: 'GET' }, {}, (...args: unknown[]) => given.push(args));
    return given;
  },
  'a route that passes on calls without a this': (make) => {
    const given: unknown[] = [];
    const route = new (routeClass(make))('/x');
    const pass = (_req: unknown, _res: unknown, next: (signal?: unknown) => void): void => next('route');
    route['get'](pass);
    for (const method of ['GET', 'POST']) {
      route['dispatch']({ method }, {}, function (this: unknown) {
        given.push(this === undefined);
      });
    }
    return given;
  },
  'what a layer says about a path may be written to': (make) => {
    const app = make();
    app.get('/users/:id', () => undefined).use(() => undefined);
    return routerOf(app).stack.map((layer) => {
      const { keys } = layer.match('/users/7') as { keys: string[] };
      keys.push('own');
      return [keys, (layer.match('/users/7') as { keys: string[] }).keys];
    });
  },
  'listRoutes where a layer has null for a route': (make) => {
    const app = make();
    app.use('/a', () => undefined).get('/b', () => undefined);
    for (const layer of routerOf(app).stack) layer.route = null as never;
    return routerOf(app).listRoutes();
  },
  'express.Route as a handler': (make) => {
    const given: unknown[] = [];
    const route = new (routeClass(make))('/x');
    const pass = (_req: unknown, _res: unknown, next: (signal?: unknown) => void): void => next();
    route['get'](pass)['all'](pass);
    const req = { method: 'GET' } as Record<string, unknown>;
    route['dispatch'](req, {}, (...args: unknown[]) => given.push(args));
    return [given, req['route'] === route];
  },
  'app.use refuses': refuses(appOf, 'use', []),
  'app.use of a path refuses': refuses(appOf, 'use', ['/x']),
  'app.get of a path refuses': refuses(appOf, 'get', ['/x']),
  'app.all refuses': refuses(appOf, 'all', ['/x']),
  'app.param refuses': refuses(appOf, 'param', ['x']),
  'app.param refuses what is no name': refuses(appOf, 'param', []),
  'app.engine refuses': refuses(appOf, 'engine', ['x']),
  'router.use refuses': refuses(routerIn, 'use', []),
  'router.use of a path refuses': refuses(routerIn, 'use', ['/x']),
  'router.post of a path refuses': refuses(routerIn, 'post', ['/x']),
  'router.param refuses': refuses(routerIn, 'param', ['x']),
  'router.param refuses what is no name': (make) =>
    [undefined, null, 7, [], {}, () => undefined, ''].map((name) =>
      tried(() => make.Router().param(name as string, () => undefined) !== undefined),
    ),
  'route.get refuses': refuses(routeIn, 'get', []),
  'route.all refuses': refuses(routeIn, 'all', []),
  'a method that is left out takes nothing': (make) =>
    ['get', 'post', 'all', 'use', 'route', 'param', 'engine', 'set', 'enable', 'path'].map((name) =>
      tried(
        () => typeof appOf(make)[name] + String(typeof (make() as unknown as Record<string, () => unknown>)[name]()),
      ),
    ),
});

const trail =
  (where: string): express.RequestHandler =>
  (_req, res, next) => {
    res.append('X-Trail', where);
    next();
  };

/** A layer as passport-stub makes it: an object with the methods that a router calls. */
function plainLayer(where: string): LayerLike {
  const handle: express.RequestHandler = (_req, res, next) => {
    res.setHeader('X-Plain', where);
    next();
  };
  const match = (): unknown => ({ path: '', params: {}, keys: [] });
  return { match, handle, handleRequest: handle } as never;
}

/** Changes of tools to a stack that is in use. */
const CHANGES: readonly (readonly [string, (router: RouterLike, make: Framework) => void])[] = [
  ['nothing', () => undefined],
  ['a layer is taken out', ({ stack }) => void stack.splice(1, 1)],
  ['the last layers are taken off', ({ stack }) => void (stack.length = 2)],
  ['a layer is put first', ({ stack }) => void stack.unshift(...stack.splice(3, 1))],
  ['the stack is turned', ({ stack }) => void stack.reverse()],
  ['the stack is another array', (router) => void (router.stack = router.stack.filter(({ route }) => route))],
  ['the stack is empty', (router) => void (router.stack = [])],
  [
    'a handler is wrapped',
    ({ stack }) => {
      const { handle } = stack[1];
      stack[1].handle = function wrapped(this: unknown, ...args: unknown[]) {
        (args[1] as express.Response).append('X-Trail', 'wrapper');
        return handle.apply(this, args);
      };
    },
  ],
  [
    'a handler of a route is wrapped',
    ({ stack }) => {
      const [only] = stack[2].route?.stack ?? [];
      const { handle } = only;
      only.handle = (...args: unknown[]) => {
        (args[1] as express.Response).append('X-Trail', 'wrapper of a route');
        return handle(...args);
      };
    },
  ],
  [
    'a handler becomes one of errors',
    ({ stack }) => {
      stack[0].handle = ((_error: unknown, _req: unknown, _res: unknown, next: () => void) => next()) as never;
    },
  ],
  ['a route loses its handlers', ({ stack }) => void (stack[2].route as { stack: unknown[] }).stack.splice(0)],
  [
    'a route gains a method by hand',
    ({ stack }) => void ((stack[2].route as { methods: Record<string, boolean> }).methods['post'] = true),
  ],
  [
    'a layer is made by hand',
    ({ stack }) => {
      const Layer = (stack[0] as object).constructor as new (...args: unknown[]) => LayerLike;
      stack.unshift(new Layer('/a', { end: false }, trail('by hand')));
    },
  ],
  ['a plain object is a layer', ({ stack }) => void stack.unshift(plainLayer('plain'))],
  [
    'a plain object is a layer of another array',
    (router) => {
      router.stack = [...router.stack];
      router.stack.unshift(plainLayer('plain'));
    },
  ],
  [
    'a plain object is a layer and fails',
    ({ stack }) => {
      const match = (path: string): unknown => {
        if (path === '/a') throw Object.assign(new Error('of match'), { status: 418 });
        return false;
      };
      stack.unshift({ ...plainLayer('unmatched'), match });
    },
  ],
  [
    'a plain object is a layer with a path and params',
    ({ stack }) => {
      const match = (path: string): unknown => path === '/a' && { path, params: { own: '1' }, keys: [] };
      stack.unshift({ ...plainLayer('at a path'), match });
    },
  ],
  [
    'a layer is that of another copy of Express',
    ({ stack }) => {
      const other = oracle.Router();
      other.get('/a', trail('a route of another copy'));
      other.use('/a', trail('middleware of another copy'));
      other.get('/:own', trail('a param of another copy'));
      stack.splice(-1, 0, ...(other as unknown as RouterLike).stack);
    },
  ],
  [
    'match of a layer is replaced by one that tells no keys',
    ({ stack }) => void (stack[2].match = (path) => path === '/other' && { params: { own: '1' }, path }),
  ],
  [
    'what a layer matches is replaced',
    ({ stack }) =>
      void (stack[2].matchers = [
        () => undefined,
        (path) => path === '/other' && { params: { own: '1' }, path: '/other' },
      ]),
  ],
  [
    'the route of a layer is that of another',
    ({ stack }) => {
      const [, , one, other] = stack;
      one.route = other.route;
    },
  ],
  [
    'layers of middleware and of a route have null for a route',
    ({ stack }) => {
      for (const layer of stack) layer.route = null as never;
    },
  ],
  ['middleware for every path gets a route', ({ stack }) => void (stack[0].route = stack[3].route)],
  [
    'a router that is made by hand is middleware',
    (router, make) => {
      const made = Object.setPrototypeOf((...args: unknown[]) => made.handle(...args), make.Router.prototype) as Loose;
      Object.assign(made, { params: {}, stack: [] });
      made.use('/a', trail('by hand'));
      (router as unknown as Loose).use(made);
    },
  ],
  ['a path is asked with a letter case', (router) => void (router['caseSensitive'] = true)],
  [
    'a router is the middleware of another',
    (router, make) => void (router as unknown as express.Router).use(make.Router().get('/a', trail('new router'))),
  ],
];

const changed = CHANGES.map(([name, change]): Program => ({
  name: `app.router.stack where ${name}`,
  app: (app, make) => {
    app.use(trail('0'));
    app.use('/a', trail('1'));
    app.get('/a', trail('2'));
    app.post('/A', trail('3'));
    app.use(trail('4'));
    change(routerOf(app), make);
    app.use((req, res) => tell(res, () => [req.method, req.url, req.params, inspect(req.route?.path)]));
  },
  rows: requests([['GET /a'], ['POST /a'], ['GET /A'], ['GET /other'], ['OPTIONS /a']]),
}));

parities(changed);
