import { EventEmitter, once } from 'node:events';
import http = require('node:http');
import type net = require('node:net');
import type express = require('express');
import { bounded } from '../support/bounded.js';
import type { Framework } from '../support/framework.js';
import { scenes, tried } from '../support/scenes.js';
import { parities, pipelined, requests, tell, type Program } from './stage.js';

const names = (value: object): string[] => Object.keys(value).toSorted();

/** The prototypes after a mount. */
const lineage = (parent: express.Express, child: express.Express): unknown =>
  (['request', 'response', 'settings', 'engines'] as const).map((member) => [
    member,
    Object.getPrototypeOf((child as never)[member]) === (parent as never)[member],
  ]);

scenes({
  'mountpath and path of applications mounted every way': (make) => {
    const mounts: unknown[] = ['/', '/a', '/a/', ['/a', '/b'], '/:id', /^\/r/, ['/a', /^\/r/], ''];
    return mounts.map((at) => {
      const [parent, child, grandchild] = [make(), make(), make()];
      child.use('/in', grandchild);
      parent.use(at as string, child);
      return [String(child.mountpath), Array.isArray(child.mountpath), child.path(), grandchild.path(), parent.path()];
    });
  },
  'an application without a mount': (make) => {
    const app = make();
    return [app.mountpath, app.path(), 'parent' in app, names(app.locals), Object.getPrototypeOf(app.locals)];
  },
  "the event 'mount'": (make) => {
    const [parent, child] = [make(), make()];
    const heard: unknown[] = [];
    child.on('mount', function (this: unknown, ...args: unknown[]) {
      heard.push([args.length, args[0] === parent, this === child, child.mountpath]);
    });
    child.once('mount', () => heard.push('once'));
    parent.use('/one', child).use(child);
    parent.use('/list', [child, [child]] as never);
    return [heard, child.listenerCount('mount'), (child as unknown as { parent: unknown }).parent === parent];
  },
  'what is inherited by a mount': (make) => {
    const [parent, child] = [make(), make()];
    const before = lineage(parent, child);
    parent.use(child);
    return [before, lineage(parent, child), names(child.settings), names(child.locals)];
  },
  'two parents: the last one has the child': (make) => {
    const [one, two, child] = [make(), make(), make()];
    one.set('own', 1).use('/one', child);
    two.set('own', 2).use('/two', child);
    return [child.get('own'), child.mountpath, child.path(), lineage(one, child), lineage(two, child)];
  },
  'an application under itself': (make) => {
    const app = make();
    return tried(() => app.use('/self', app) === app);
  },
  'an application is an emitter': (make) => {
    const app = make();
    const heard: unknown[] = [];
    (app as unknown as EventEmitter).on('own', (...args: unknown[]) => heard.push(args));
    const emitters = Object.getOwnPropertyNames(EventEmitter.prototype).filter((name) => name !== 'constructor');
    return [
      app.emit('own', 1, 2),
      app.emit('none'),
      heard,
      emitters.map((name) => typeof (app as unknown as Record<string, unknown>)[name]),
      (app as object) instanceof EventEmitter,
    ];
  },
  'trust proxy, chosen or not, before a mount and behind it': (make) =>
    [undefined, true, 2, 'loopback', false].flatMap((ofParent) =>
      [undefined, true, 1, false].flatMap((ofChild) =>
        ['before', 'after'].map((when) => {
          const [parent, child] = [make(), make()];
          if (ofParent !== undefined) parent.set('trust proxy', ofParent);
          if (ofChild !== undefined && when === 'before') child.set('trust proxy', ofChild);
          parent.use(child);
          if (ofChild !== undefined && when === 'after') child.set('trust proxy', ofChild);
          const trusts = child.get('trust proxy fn') as (address: string, hop: number) => unknown;
          return [
            ofParent,
            ofChild,
            when,
            child.get('trust proxy'),
            [0, 1, 2].map((hop) => trusts('127.0.0.1', hop)),
            Object.hasOwn(child.settings, 'trust proxy'),
          ];
        }),
      ),
    ),
  'a program takes the mark of the default trust proxy away': (make) => {
    const [parent, child] = [make().set('trust proxy', 2), make()];
    const { settings } = child as unknown as { settings: Record<string, unknown> };
    const marks = Object.getOwnPropertyNames(settings).filter((name) => !Object.keys(settings).includes(name));
    for (const mark of marks) Reflect.deleteProperty(settings, mark);
    parent.use(child);
    return [marks, child.get('trust proxy')];
  },
  'express.application, request and response': (make) => [
    names(make.application as object),
    names(make.request),
    names(make.response),
    Object.getOwnPropertyNames(make.application).length === names(make.application as object).length,
  ],
  'a response behind a Proxy that binds its methods': async (make) => {
    const [parent, child] = [make(), make()];
    child.get('/in', (_req, res) => res.json({ ok: true }));
    parent.use('/mount', child);
    parent.use((_req, res) => res.send('last'));
    const bound = (res: object): object =>
      new Proxy(res, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
    const server = http.createServer((req, res) => parent(req, bound(res) as never));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const at = `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`;
      return await Promise.all(['/mount/in', '/mount/none'].map(async (url) => (await fetch(at + url)).text()));
    } finally {
      server.closeAllConnections();
      server.close();
    }
  },
  // On Node 26 Express ends with an assertion of node's.
  ...(Number.parseInt(process.versions.node) < 26 && {
    'the last answer for a copy of a request': async (make) => {
      const app = make();
      app.set('env', 'test');
      app.use('/sub', (req, res) => {
        const copy = Object.assign(Object.create(Object.getPrototypeOf(req) as object) as object, req, {
          url: '/none',
        });
        (app as unknown as (req: object, res: object) => void)(copy, res);
      });
      const server = app.listen(0, '127.0.0.1');
      await once(server, 'listening');
      try {
        const { port } = server.address() as net.AddressInfo;
        const answers: unknown[] = [];
        for (const fields of [{}, { 'Content-Length': 0 }] as http.OutgoingHttpHeaders[]) {
          const asked = http.get({ port, host: '127.0.0.1', path: '/sub', agent: false, headers: fields });
          const [answer] = (await bounded(once(asked, 'response'), () => 'an answer')) as [http.IncomingMessage];
          answers.push([answer.statusCode, (await answer.toArray()).join('')]);
        }
        return answers;
      } finally {
        server.closeAllConnections();
        server.close();
      }
    },
  }),
  'app.request and app.response': (make) => {
    const app = make();
    return [
      names(app.request),
      names(app.response),
      Object.getPrototypeOf(app.request) === make.request,
      Object.getPrototypeOf(app.response) === make.response,
      (app.request as { app?: unknown }).app === app,
      [app.request, app.response].map((message) => {
        // Nonstop's is an accessor.
        const { configurable, enumerable } = Object.getOwnPropertyDescriptor(message, 'app')!;
        return { configurable, enumerable };
      }),
      { ...app.request }.app === app,
    ];
  },
});

/** All properties of the mount that a handler can see, from inside each application. */
const seen =
  (where: string): express.RequestHandler =>
  (req, res, next) => {
    const { url, baseUrl, originalUrl, path, params } = req;
    const { mountpath } = req.app;
    res.append(
      'X-Seen',
      encodeURIComponent(
        JSON.stringify([where, { url, baseUrl, originalUrl, path, params, mountpath, at: req.app.path() }, res.locals]),
      ),
    );
    res.locals[where] = true;
    next();
  };

const failing: express.ErrorRequestHandler = (error: Error, req, res, next) => {
  res.append('X-Error', encodeURIComponent(`${req.app.path()} ${error.message}`));
  next(error);
};

/** Applications inside applications, mounted in every way. */
const WAYS: readonly (readonly [string, (parent: express.Express, child: express.Express, make: Framework) => void])[] =
  [
    ['at the root', (parent, child) => void parent.use(child)],
    ['at a path', (parent, child) => void parent.use('/m', child)],
    ['at a path with a slash', (parent, child) => void parent.use('/m/', child)],
    ['at a list of paths', (parent, child) => void parent.use(['/m', '/n'], child)],
    ['at a param', (parent, child) => void parent.use('/:mounted', child)],
    ['twice', (parent, child) => void parent.use('/m', child).use('/n', child)],
    ['behind middleware', (parent, child) => void parent.use('/m', seen('beside'), child, seen('behind'))],
    ['in a router', (parent, child, make) => void parent.use('/m', make.Router().use(child as never))],
    ['in a route', (parent, child) => void parent.get('/m', child as never)],
    ['in an application of its own', (parent, child, make) => void parent.use('/m', make().use('/in', child))],
    ['as a function that is called', (parent, child) => void parent.use('/m', (q, s, n) => void child(q, s, n))],
    [
      'by app.handle',
      (parent, child) => void parent.use('/m', (q, s, n) => (child as never as Handled).handle(q, s, n)),
    ],
  ];

interface Handled {
  handle(req: unknown, res: unknown, next: unknown): void;
}

const mounted = WAYS.map(([way, put]): Program => ({
  name: `an application in an application, ${way}`,
  app: (app, make) => {
    const child = make();
    child.use(seen('child'));
    child.get('/end', (req, res) => tell(res, () => [req.url, req.baseUrl, res.locals]));
    child.get('/fail', () => {
      throw new Error('inside');
    });
    child.get('/away', (_req, _res, next) => next('router'));
    child.get('/:id', seen('param of the child'));
    child.use(failing);
    app.use(seen('app'));
    put(app, child, make);
    app.use(seen('app again'), failing);
    app.use((req, res) => tell(res, () => [req.url, req.baseUrl, req.params, res.locals]));
  },
  rows: pipelined([
    ...[
      '/',
      '/m',
      '/m/',
      '/m/end',
      '/m/fail',
      '/m/away',
      '/m/7?x=1',
      '/n/end',
      '/end',
      '/fail',
      '/m/in/end',
      '/M/END',
    ].map((target) => [`GET ${target}`] as const),
    ['POST /m/end'],
    ['OPTIONS /m/end'],
    ['HEAD /m/end'],
  ]),
}));

/** Objects that `use` takes for an application, because they have `handle` and `set`, but without prototypes for messages. */
const strangers: Program = {
  name: 'applications of other frameworks, without request and response',
  app: (app) => {
    const stranger = (handle: express.RequestHandler): object => ({ handle, set: () => undefined, emit: () => true });
    app.use('/object', stranger((req, res) => tell(res, () => [req.url, req.baseUrl, req.app === app])) as never);
    app.use(
      '/function',
      Object.assign(
        () => undefined,
        stranger((_req, res) => void res.send('sent')),
      ) as never,
    );
    app.use('/next', stranger((_req, _res, next) => next()) as never);
    app.use('/error', stranger((_req, _res, next) => next(new Error('inside'))) as never);
    app.use(
      '/null',
      Object.assign(
        stranger((_req, res) => void res.send('sent')),
        { request: null },
      ) as never,
    );
    app.use((req, res) => tell(res, () => [req.url, req.app === app, typeof res.send]));
  },
  rows: requests([['GET /object/x'], ['GET /function'], ['GET /next/x'], ['GET /error'], ['GET /null']]),
};

/** A mounted application whose messages name another object as theirs, such as a proxy around it. */
const renamed: Program = {
  name: 'applications whose request.app is another',
  app: (app, make) => {
    const other = make().set('json spaces', 1);
    for (const [path, own] of [
      ['/value', { value: other }],
      ['/getter', { get: () => other, set: () => undefined }],
    ] as const) {
      const child = make();
      Object.defineProperty(child.request, 'app', own);
      Object.defineProperty(child.response, 'app', own);
      child.get('/', (req, res) => void res.json([req.app === other, (res.app as unknown) === other]));
      app.use(path, child);
    }
    app.use((req, res) => void res.json([req.app === app, (res.app as unknown) === app]));
  },
  rows: requests([['GET /value'], ['GET /value/none'], ['GET /getter'], ['GET /getter/none']]),
};

type Handle = (req: express.Request, res: express.Response, next: (error?: unknown) => void) => void;

/** What a program does in the place of `handle` of an application: `enter` is the original one. */
const INSTEAD: Readonly<Record<string, (enter: () => void, next: () => void, req: object) => void>> = {
  'calls it': (enter) => enter(),
  'writes another app to the request': (enter, _next, req) => {
    Object.assign(req, { app: { another: true } });
    enter();
  },
  'gives the request a prototype': (enter, _next, req) => {
    Object.setPrototypeOf(req, Object.create(Object.getPrototypeOf(req) as object) as object);
    enter();
  },
  'calls it late': (enter) => void setTimeout(enter, 1),
  'leaves the application out': (_enter, next) => next(),
  throws: () => {
    throw new Error('not now');
  },
};

/** A mounted application whose `handle` is replaced: in front of the original one the messages belong to the parent. */
const replaced = Object.entries(INSTEAD).map(([what, instead]): Program => ({
  name: `an application with a handle that ${what}`,
  app: (app, make, note) => {
    const child = make();
    const say = (where: string, { app: one }: express.Request, res: express.Response): void =>
      note([where, one === app, one === child, (res.app as unknown) === app, (res.app as unknown) === child]);
    const passing =
      (where: string): express.RequestHandler =>
      (req, res, next) => {
        say(where, req, res);
        next();
      };
    const handled = child as unknown as { handle: Handle };
    const { handle } = handled;
    handled.handle = function (req, res, next) {
      say('handle', req, res);
      instead(() => handle.call(this, req, res, next), next, req);
    };
    child.use(passing('child'));
    child.get('/', (_req, res) => void res.end('child'));
    app.use('/m', child, passing('behind'));
    app.use(((error, req, res, _next) => {
      say('error', req, res);
      res.end(String(error));
    }) as express.ErrorRequestHandler);
    app.use((_req, res) => void res.end('app'));
  },
  rows: requests([['GET /m'], ['GET /m/none']]).map((row) => ({ ...row, shows: /handle.*true, false, true, false/ })),
}));

parities([...mounted, ...replaced, strangers, renamed]);
