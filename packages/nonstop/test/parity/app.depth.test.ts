import type express = require('express');
import { parities, requests, tell, type Build, type Program } from './stage.js';

/** More layers than the call stack could hold if each layer were called inside the one before. */
const MANY = 5_000;
const SOME = 1_500;

const pass: express.RequestHandler = (_req, _res, next) => next();
const passError: express.ErrorRequestHandler = (error, _req, _res, next) => next(error);

const times = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);

const DEEP: readonly (readonly [string, Build])[] = [
  ['middleware', (app) => void app.use(times(MANY, pass))],
  ['middleware under a path', (app) => void app.use('/a', times(MANY, pass))],
  ['handlers of one route', (app) => void app.get('/a', times(MANY, pass))],
  [
    'routes of one path',
    (app) => {
      for (let i = 0; i < SOME; i++) app.get('/a', pass);
    },
  ],
  [
    'routes of params',
    (app) => {
      for (let i = 0; i < SOME; i++) app.get('/:id', pass);
    },
  ],
  [
    'routes left by next("route")',
    (app) => {
      const leave: express.RequestHandler = (_req, _res, next) => next('route');
      for (let i = 0; i < SOME; i++) app.get('/a', leave, pass);
    },
  ],
  [
    'routers beside each other',
    (app, make) => {
      for (let i = 0; i < SOME; i++) app.use(make.Router().use(pass));
    },
  ],
  [
    'routers left by next("router")',
    (app, make) => {
      for (let i = 0; i < SOME; i++) app.use(make.Router().use((_req, _res, next) => next('router')));
    },
  ],
  [
    'routers in each other',
    (app, make) => {
      let inner = make.Router().use(pass);
      for (let i = 0; i < 300; i++) inner = make.Router().use(pass, inner);
      app.use('/a', inner);
    },
  ],
  [
    'paths in each other',
    (app, make) => {
      let inner = make.Router().use(pass);
      for (let i = 0; i < 100; i++) inner = make.Router().use('/a', pass, inner);
      app.use(inner);
    },
  ],
  [
    'applications in each other',
    (app, make) => {
      let inner = make();
      for (let i = 0; i < 30; i++) inner = make().use(pass, inner);
      app.use('/a', inner);
    },
  ],
  [
    'handlers of errors',
    (app) => {
      app.use('/a', () => {
        throw new Error('from the start');
      });
      app.use(times(SOME, passError));
      app.use(times(SOME, pass));
    },
  ],
  [
    'layers that an error passes over',
    (app) => {
      app.use('/a', (_req, _res, next) => next(new Error('from the start')));
      app.use(times(MANY, pass));
      for (let i = 0; i < SOME; i++) app.get('/a', pass);
    },
  ],
  [
    'callbacks of a param',
    (app) => {
      for (let i = 0; i < 500; i++) app.param('id', (_req, _res, next) => next());
      for (let i = 0; i < 50; i++) app.get('/:id', pass);
    },
  ],
  [
    'handlers that wait now and then',
    (app) => {
      for (let i = 0; i < SOME; i++)
        app.use((_req, _res, next) => void (i % 1000 === 999 ? setImmediate(next) : next()));
    },
  ],
  ['layers that no path reaches', (app) => void app.use('/elsewhere', times(MANY, pass))],
];

const programs = DEEP.map(([name, build]): Program => ({
  name: `thousands: ${name}`,
  app: (app, make, note) => {
    build(app, make, note);
    app.use((req, res) => tell(res, () => [req.method, req.url, req.params]));
  },
  rows: requests([['GET /a'], ['OPTIONS /a'], [`GET ${'/a'.repeat(101)}`]]),
}));

/** Notes before which handlers the call stack was empty. */
const counted: express.RequestHandler = (_req, { locals }, next) => {
  locals['handlers'] = ((locals['handlers'] as number | undefined) ?? 0) + 1;
  if (locals['isInside']) return next();
  ((locals['unwound'] ??= []) as unknown[]).push(locals['handlers']);
  locals['isInside'] = true;
  next();
  locals['isInside'] = false;
};

const countedError: express.ErrorRequestHandler = (error, req, res, next) => counted(req, res, () => next(error));

const fail: express.RequestHandler = (_req, _res, next) => next(new Error('from the start'));

/** More handlers than run without a pause, and fewer than the call stack could hold. */
const RUN = 250;

const unwound: Program = {
  name: 'the handlers before which the call stack is unwound',
  app: (app) => {
    app.param('id', (_req, _res, next) => next());
    app.use('/middleware', times(RUN, counted));
    app.get('/route', times(RUN, counted));
    for (let i = 0; i < RUN; i++) app.get('/routes', counted).get('/params/:id', counted);
    app.use('/middleware/:id', times(RUN, counted));
    app.use('/errors', fail, times(RUN, countedError));
    app.get('/errors-of-route', fail, times(RUN, countedError) as never);
    const last = (_req: unknown, res: express.Response): void => tell(res, () => res.locals['unwound']);
    app.use(last);
    app.use(((_error, req, res, _next) => last(req, res)) as express.ErrorRequestHandler);
  },
  rows: requests(
    ['middleware', 'route', 'routes', 'params/7', 'middleware/7', 'errors', 'errors-of-route'].map(
      (path) => [`GET /${path}`] as const,
    ),
  ),
};

parities([
  unwound,
  ...programs,
  {
    name: 'thousands of layers, and routes added while serving',
    app: (app) => {
      app.use(times(SOME, pass));
      for (let i = 0; i < 500; i++) app.get(`/deep`, pass);
      let added = 0;
      app.use((_req, _res, next) => {
        const now = ++added;
        app.get('/deep', (_q, res, onward) => {
          res.append('X-Added', String(now));
          onward();
        });
        next();
      });
      app.use((req, res) => tell(res, () => [req.method, req.url, req.params]));
    },
    rows: ['/', '/deep', '/deep?x'].map((target) => requests([[`GET ${target}`]])[0]),
  },
]);
