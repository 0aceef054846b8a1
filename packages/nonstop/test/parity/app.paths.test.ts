import { inspect } from 'node:util';
import { scenes, tried, type Scene } from '../support/scenes.js';
import { parities, pipelined, tell, type Program } from './stage.js';

/** Paths that path-to-regexp 8 refuses (some of which Express 4 accepted), and values that are not paths. */
const PATHS: readonly unknown[] = [
  '*',
  '/*',
  '/a*',
  '/a?',
  '/a+',
  '/(a)',
  '/(.*)',
  '/:id(\\d+)',
  '/:id?',
  '/:id*',
  '/:',
  '/:1',
  '/:-x',
  '/:"',
  '/:"a',
  '/:""',
  '/*""',
  '/{a',
  '/a}',
  '/{{a}',
  '/[a]',
  '/!',
  '/a|b',
  '\\',
  '/a\\',
  '/:a:b',
  '/:a*b',
  '/*a*b',
  '/*a:b',
  '/:id/:id',
  '/{:a}{:b}',
  'no slash',
  '',
  ' ',
  '//',
  undefined,
  null,
  0,
  7,
  true,
  {},
  Symbol.iterator,
  new String('/a'),
  { toString: () => '/made' },
  [],
  [[]],
  ['/a', '/*'],
  ['/a', undefined],
  ['/a', 7],
  /^\/(?<a>x)(?<a_>y)$/,
  new Date(0),
];

/** Adds a layer for each path. @returns the error, or how the layer matches some paths */
const adding =
  (add: (path: never, make: Parameters<Scene>[0]) => unknown): Scene =>
  (make) =>
    // Express 4 sets flags on a RegExp that it gets, so each call gets its own.
    PATHS.map((path) => (path instanceof RegExp ? new RegExp(path) : path)).map((path) => [
      inspect(path),
      tried(() => add(path as never, make)),
    ]);

const pass = (): void => undefined;

scenes({
  'app.get with a path that may be none': adding((path, make) => typeof make().get(path, pass)),
  'app.use with a path that may be none': adding((path, make) => typeof make().use(path, pass)),
  'app.all with a path that may be none': adding((path, make) => typeof make().all(path, pass)),
  'app.route with a path that may be none': adding((path, make) =>
    inspect((make().route(path) as unknown as { path: unknown }).path),
  ),
  'app.use of an application with a path that may be none': adding((path, make) => {
    const child = make();
    make().use(path, child);
    return [inspect(child.mountpath), child.path()];
  }),
  'router.use with a path that may be none': adding((path, make) => typeof make.Router().use(path, pass)),
  'router.get with a path that may be none': adding((path, make) => typeof make.Router().get(path, pass)),
  'router.route, strict, with a path that may be none': adding(
    (path, make) => typeof make.Router({ strict: true }).route(path).get(pass),
  ),
});

const ENCODED = [
  '/p/%',
  '/p/%2',
  '/p/%zz',
  '/p/%E0%A4%A',
  '/p/%c3',
  '/p/%C3%A9',
  '/p/a%2Fb',
  '/p/%25',
  '/p/%00',
  '/p/+',
  '/w/a/%zz',
  '/w/%zz/b',
  '/w/%41/%42',
  '/r/%zz',
  '/r/%41',
  '/o',
  '/o/%zz',
  '/use/%zz/x',
  '/use/%41/x',
  '/plain/%zz',
  '/%70/x',
  '/in/%zz/x',
  '/p/%zz?x=%zz',
];

/** Params that cannot be decoded: the layer that reports it, its status, and the error handlers that are called. */
const decoding = (name: string, pages: boolean): Program => ({
  name: `params that cannot be decoded, ${name}`,
  pages,
  app: (app, make) => {
    const router = make.Router();
    app.param('id', (_req, res, next, value) => {
      res.append('X-Param', encodeURIComponent(value));
      next();
    });
    router.get('/:id/x', (req, res) => tell(res, () => ['router', req.params]));
    router.use((error: Error & { status?: number; statusCode?: number }, _req: unknown, _res: unknown, next: unknown) =>
      (next as (error: unknown) => void)(Object.assign(error, { seen: [error.status, error.statusCode] })),
    );
    app.get('/p/:id', (req, res) => tell(res, () => req.params));
    app.get('/p/*rest', (req, res) => tell(res, () => ['behind', req.params]));
    app.get('/w/*rest', (req, res) => tell(res, () => req.params));
    app.get(/^\/r\/(.*)$/, (req, res) => tell(res, () => req.params));
    app.get('/o{/:id}', (req, res) => tell(res, () => req.params));
    app.use('/use/:name', (req, res) => tell(res, () => [req.params, req.url, req.baseUrl]));
    app.use('/in', router);
    app.get('/plain/*all', (_req, res) => void res.send('plain'));
  },
  rows: pipelined(ENCODED.map((target) => [`GET ${target}`] as const)),
});

parities([decoding('to a handler of errors', false), decoding('to the page of errors', true)]);
