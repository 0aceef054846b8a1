import type express = require('express');
import { EventEmitter } from 'node:events';
import { inspect } from 'node:util';
import { scenes } from '../support/scenes.js';
import {
  handlers,
  parities,
  pipelined,
  requests,
  tell,
  type Framework,
  type HandlerRow,
  type Program,
} from './stage.js';

type Open = Record<string, unknown>;

/** Ways to extend the prototypes of an application's requests and responses, and calls of the extensions. */
const ADDITIONS: readonly (readonly [string, (app: express.Express, make: Framework) => void])[] = [
  ['nothing', () => undefined],
  ['app.request', (app) => void Object.assign(app.request, { added: () => 'app.request' })],
  ['app.response', (app) => void Object.assign(app.response, { added: () => 'app.response' })],
  [
    'app.response.send',
    (app) =>
      void Object.assign(app.response, {
        send(this: express.Response, body: unknown) {
          return this.end(`sent ${String(body)}`);
        },
      }),
  ],
  [
    'app.response.json',
    (app) => {
      const own = app.response.json;
      app.response.json = function (body) {
        return own.call(this, { wrapped: body as unknown });
      };
    },
  ],
  [
    'app.response.status',
    (app) => {
      const own = app.response.status;
      app.response.status = function (code) {
        return own.call(this, code + 1);
      };
    },
  ],
  [
    'app.response.set',
    (app) => {
      const own = app.response.set as (...args: unknown[]) => express.Response;
      Object.assign(app.response, {
        set(this: express.Response, ...args: unknown[]) {
          this.setHeader('X-Set', String(args[0]));
          return own.apply(this, args);
        },
      });
    },
  ],
  [
    'app.response.setHeader',
    (app) => {
      const own = app.response.setHeader;
      app.response.setHeader = function (name, value) {
        own.call(this, `X-Set-${name}`, String(value));
        return own.call(this, name, value);
      };
    },
  ],
  [
    'app.response.getHeader',
    (app) => {
      const own = app.response.getHeader;
      app.response.getHeader = function (name) {
        if (name === 'ETag') return '"own"';
        return own.call(this, name);
      };
    },
  ],
  ['app.response.get', (app) => void Object.assign(app.response, { get: () => 'text/x-got' })],
  [
    'app.response.type',
    (app) =>
      void Object.assign(app.response, {
        type(this: express.Response) {
          this.setHeader('Content-Type', 'x/typed');
          return this;
        },
      }),
  ],
  ['app.request.query', (app) => void Object.defineProperty(app.request, 'query', { get: () => ({ own: 'query' }) })],
  [
    'app.request.query that may be written',
    (app) =>
      void Object.defineProperty(app.request, 'query', {
        get: () => ({ own: 'query' }),
        set(this: Open, value: unknown) {
          this['added'] = () => inspect(value);
        },
      }),
  ],
  ['app.request.fresh', (app) => void Object.defineProperty(app.request, 'fresh', { get: () => true })],
  ['app.request.ip', (app) => void Object.defineProperty(app.request, 'ip', { get: () => 'own' })],
  ['app.request.protocol', (app) => void Object.defineProperty(app.request, 'protocol', { get: () => 'https' })],
  ['app.request.hostname', (app) => void Object.defineProperty(app.request, 'hostname', { get: () => 'a.b.c.d' })],
  ['app.request.host', (app) => void Object.defineProperty(app.request, 'host', { get: () => 'x.y.z.w:1' })],
  ['app.request.get', (app) => void Object.assign(app.request, { get: (name: string) => `got ${name}` })],
  ['app.request.accepts', (app) => void Object.assign(app.request, { accepts: () => 'json' })],
  ['app.request of null members', (app) => void Object.assign(app.request, { added: null, xhr2: undefined })],
  ['app.locals', (app) => void Object.assign(app.locals, { added: 'local' })],
  [
    'app.handle',
    (app) => {
      const own = (app as unknown as Open)['handle'] as (...args: unknown[]) => unknown;
      (app as unknown as Open)['handle'] = function (this: unknown, ...args: unknown[]) {
        (args[1] as express.Response).setHeader('X-Handled', '1');
        return own.apply(this, args);
      };
    },
  ],
  [
    'app.router.handle',
    (app) => {
      const router = app.router as unknown as Open;
      const own = router['handle'] as (...args: unknown[]) => unknown;
      router['handle'] = function (this: unknown, ...args: unknown[]) {
        (args[1] as express.Response).setHeader('X-Routed', [args.length, typeof args[2]].join());
        return own.apply(this, args);
      };
    },
  ],
];

const ask = (target: object, name: string): unknown => {
  const value = (target as Open)[name];
  return typeof value === 'function' ? (value as () => unknown).call(target) : inspect(value);
};

const added = ADDITIONS.flatMap(([name, add]) =>
  ['itself', 'a mounted application'].map((where): Program => ({
    name: `${name}, extended on ${where}`,
    app: (app, make) => {
      const child = make();
      add(where === 'itself' ? app : child, make);
      const serve = (on: express.Express): void => {
        on.get('/ask', (req, res) =>
          tell(res, () => [
            ask(req, 'added'),
            ask(res, 'added'),
            req.query,
            req.ip,
            req.protocol,
            req.secure,
            req.hostname,
            req.subdomains,
            req.xhr,
            req.fresh,
            req.get('Host'),
            req.accepts('html'),
            { ...req.app.locals, settings: undefined },
          ]),
        );
        on.get('/send', (_req, res) => void res.status(201).send('text'));
        on.get('/bytes', (_req, res) => void res.send(Buffer.from('bytes')));
        on.get('/json', (_req, res) => void res.json({ a: 1 }));
        on.get('/jsonp', (_req, res) => void res.jsonp({ a: 1 }));
        on.get(
          '/format',
          (_req, res) => void res.format({ html: () => res.send('html'), json: () => res.json('json') }),
        );
        on.get('/redirect', (_req, res) => res.redirect('/there'));
        on.get('/status', (_req, res) => void res.sendStatus(404));
      };
      serve(child);
      app.use('/m', child);
      serve(app);
    },
    rows: pipelined(
      ['', '/m'].flatMap((base) =>
        ['ask?a=1', 'ask', 'send', 'bytes', 'json', 'jsonp?callback=f', 'format', 'redirect', 'status'].map(
          (path) => [`GET ${base}/${path}`] as const,
        ),
      ),
    ),
  })),
);

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** How often Express calls a method that a program has replaced, and with what. docs/compat has a row about setHeader and getHeader. */
const called = ['end', 'get', 'set', 'type', 'status', 'removeHeader', 'writeHead', 'json', 'send'].flatMap((name) =>
  [true, false].map((tagged): Program => ({
    name: `the calls of app.response.${name}, ${tagged ? 'with' : 'without'} entity tags`,
    app: (app) => {
      const calls: unknown[] = [];
      const response = app.response as unknown as Record<string, Method>;
      const own = response[name];
      response[name] = function (...args) {
        calls.push([args.length, ...args.map((arg) => (typeof arg === 'string' ? arg : typeof arg))]);
        return own.apply(this, args);
      };
      app.set('etag', tagged);
      app.all('/send', (_req, res) => void res.status(201).send('text'));
      app.all('/bytes', (_req, res) => void res.send(Buffer.from('bytes')));
      app.all('/nothing', (_req, res) => void res.send());
      app.all('/json', (_req, res) => void res.json({ a: 1 }));
      app.all('/jsonp', (_req, res) => void res.jsonp({ a: 1 }));
      app.all('/redirect', (_req, res) => res.redirect('/there'));
      app.all('/status', (_req, res) => void res.sendStatus(204));
      app.all('/fresh', (req, res) => tell(res, () => [req.fresh, req.stale]));
      app.get('/calls', (_req, res) => tell(res, () => calls));
    },
    rows: pipelined([
      ...['GET', 'POST', 'HEAD'].flatMap((method) =>
        ['send', 'bytes', 'nothing', 'json', 'jsonp?callback=f', 'redirect', 'status', 'fresh'].map(
          (path) => [`${method} /${path}`] as const,
        ),
      ),
      ['GET /send', { 'If-None-Match': '*' }],
      ['GET /calls'],
    ]),
  })),
);

/** Members of messages at the places where Express defines them. */
const SHAPES: readonly (readonly [
  string,
  (req: express.Request, res: express.Response, app: express.Express) => unknown,
])[] = [
  ['req.res and res.req', (req, res) => [req.res === res, res.req === req]],
  ['req.app and res.app', (req, res, app) => [req.app === app, res.app === app]],
  [
    'prototypes',
    (req, res, app) => [Object.getPrototypeOf(req) === app.request, Object.getPrototypeOf(res) === app.response],
  ],
  [
    'own names of the request',
    (req) =>
      [
        'baseUrl',
        'originalUrl',
        'params',
        'next',
        'res',
        'route',
        'body',
        'query',
        'secret',
        'cookies',
        'signedCookies',
        'app',
      ].map((name) => [name, Object.hasOwn(req, name), name in req]),
  ],
  [
    'own names of the response',
    (_req, res) => ['req', 'locals', 'app', 'charset'].map((name) => [name, Object.hasOwn(res, name), name in res]),
  ],
  ['res.locals', (_req, res) => [Object.getPrototypeOf(res.locals), res.locals]],
  ['req.next', (req) => typeof req.next],
  ['req.route', (req) => req.route as unknown],
  ['req.body', (req) => ['body' in req, (req as { body?: unknown }).body]],
  [
    'app.router.stack',
    (_req, _res, app) =>
      (
        app.router as unknown as {
          stack: { name: string; route?: { path: unknown; stack: { method: string; name: string }[] } }[];
        }
      ).stack.map(({ name, route }) => [name, route?.path, route?.stack.map((each) => [each.method, each.name])]),
  ],
  ['app.mountpath', (_req, _res, app) => [app.mountpath, app.path()]],
  [
    'types of members',
    (req, res) =>
      [
        ['get', 'header', 'accepts', 'is', 'range', 'param', 'acceptsEncoding'],
        ['send', 'json', 'sendfile', 'header', 'contentType', 'del', 'append', 'vary', 'links'],
      ].map((names, i) => names.map((name) => [name, typeof ([req, res][i] as unknown as Open)[name]])),
  ],
];

parities([
  ...added,
  ...called,
  handlers(
    'what requests and responses hold',
    SHAPES.map(([name, look]): HandlerRow => [
      name,
      ({ req, res }) => tell(res, () => look(req, res, req.app as express.Express)),
    ]),
  ),
]);

/** Accessors on the application's prototypes with the names of members that node's messages have themselves. */
const HIDDEN = {
  request: ['url', 'method', 'socket', 'httpVersion', 'complete', 'aborted', 'statusCode'],
  response: ['req', 'finished', 'sendDate', 'shouldKeepAlive', '_header', 'chunkedEncoding', 'destroyed'],
} as const;

parities(
  (['request', 'response'] as const).flatMap((which) =>
    HIDDEN[which].flatMap((name) =>
      [undefined, () => undefined].map((set): Program => ({
        name: `an accessor ${name} of app.${which}${set ? ', with a setter' : ''}`,
        app: (app) => {
          Object.defineProperty(app[which], name, { configurable: true, get: () => 'of the application', set });
          app.use((req, res) => {
            const message = { request: req, response: res }[which] as unknown as Open;
            tell(res, () => [message[name] === 'of the application', req.url]);
          });
        },
        rows: requests([['GET /a'], ['GET /b']]),
      })),
    ),
  ),
);

/** An application as `express()` makes one, made by a program. */
function madeByHand(make: Framework): express.Express {
  const made = function (...args: unknown[]) {
    (made as unknown as { handle(...args: unknown[]): void }).handle(...args);
  } as unknown as express.Express;
  const { constructor: _, ...emitter } = Object.getOwnPropertyDescriptors(EventEmitter.prototype);
  Object.defineProperties(made, { ...emitter, ...Object.getOwnPropertyDescriptors(make.application) });
  const app = { value: made, configurable: true, enumerable: true, writable: true };
  made.request = Object.create(make.request, { app }) as express.Request;
  made.response = Object.create(make.response, { app }) as express.Response;
  made.init();
  return made;
}

/** Members of `express.application` whose names a function or an emitter has: an application keeps its own. */
const TAKEN: readonly (readonly [name: string, value: unknown])[] = [
  ['name', 'other'],
  ['length', 7],
  ['on', () => 'replaced'],
  ['emit', () => 'replaced'],
  ['added', 'new'],
];

parities(
  TAKEN.map(([name, value]): Program => ({
    name: `a member ${name} of express.application`,
    app: (app, make) => {
      const own = make.application as unknown as Open;
      const before = Object.getOwnPropertyDescriptor(own, name);
      Object.defineProperty(own, name, { value, configurable: true, enumerable: true, writable: true });
      const made = make() as unknown as Open;
      if (before === undefined) delete own[name];
      else Object.defineProperty(own, name, before);
      app.use((_req, res) => tell(res, () => [made[name] === value, typeof made[name]]));
    },
    rows: requests([['GET /']]),
  })),
);

parities([
  {
    name: 'an application that a program makes of express.application',
    app: (app, make) => {
      const made = madeByHand(make);
      made.get('/path', (req, res) => tell(res, () => [made.path(), made.get('env'), req.app === made, req.baseUrl]));
      app.use('/made', made);
    },
    rows: requests([['GET /made/path'], ['GET /made/none']]),
  },
]);

/** The methods of an application that its methods for routes call, for a program that replaces one. */
function calledBy(make: Framework, use: (app: express.Express) => void): string[] {
  const app = make();
  const open = app as unknown as Record<string, (...args: unknown[]) => unknown>;
  const calls: string[] = [];
  for (const name of ['all', 'get', 'param', 'route', 'use']) {
    const own = open[name];
    open[name] = (...args) => {
      if (args.length > 1 || name === 'route') calls.push(name);
      return own.apply(app, args);
    };
  }
  use(app);
  return calls;
}

scenes({
  'methods of an application that add a route': (make) =>
    [
      (app: express.Express) => app.get('/', () => undefined),
      (app: express.Express) => app.post('/', () => undefined),
      (app: express.Express) => app.all('/', () => undefined),
      (app: express.Express) => app.route('/'),
      (app: express.Express) => app.use('/', () => undefined),
      (app: express.Express) => app.param(['a', 'b'] as never, () => undefined),
    ].map((use) => calledBy(make, (app) => void use(app))),
});

/** Ways to copy an application, as hosts do that give plugins one with more members. */
const COPIES: Readonly<Record<string, (app: express.Express) => express.Express>> = {
  'a spread': (app) => ({ ...app }) as never,
  'Object.assign': (app) => Object.assign({}, app) as never,
  'for in': (app) => {
    const copy: Open = {};
    for (const name in app) copy[name] = (app as unknown as Open)[name];
    return copy as never;
  },
  'a function around it': (app) => Object.assign((...args: Parameters<typeof app>) => app(...args), app),
};

parities(
  Object.entries(COPIES).map(([name, copyOf]): Program => {
    return {
      name: `a copy of an application by ${name}`,
      app: (app, make) => {
        app.use((_req, _res, next) => next());
        const copy = copyOf(app);
        copy.get('/get', (_req, res) => void res.send('get'));
        copy.use('/use', (_req, res) => void res.send('use'));
        copy.all('/all', (_req, res) => void res.send('all'));
        copy.route('/route').post((_req, res) => void res.send('route'));
        copy.param('id', (_req, _res, next, id) => next(id === 'x' ? new Error('x') : undefined));
        copy.get('/param/:id', (_req, res) => void res.send('param'));
        copy.use(
          '/router',
          make.Router().get('/', (_req, res) => void res.send('router')),
        );
        copy.set('query parser', 'extended').set('title', 'of the copy');
        copy.get('/title', (req, res) => void res.json([app.get('title'), copy.get('title'), req.query]));
        copy.get('/render', (_req, res) => {
          class View {
            path = 'here';
            render(options: object, done: (error: null, text: string) => void): void {
              done(null, Object.keys(options).join());
            }
          }
          copy.set('view', View).render('any', { a: 1 }, (error, text) => void res.send(error?.message ?? text));
        });
      },
      rows: requests([
        ['GET /get'],
        ['POST /use'],
        ['PATCH /all'],
        ['POST /route'],
        ['GET /param/x'],
        ['GET /param/y'],
        ['GET /router'],
        ['GET /title?a[b]=c'],
        ['GET /render'],
        ['GET /none'],
      ]),
    };
  }),
);
