import type express = require('express');
import { parities, request, requests, tell, type Build, type Program } from './stage.js';

const TARGETS = [
  '/',
  '/a',
  '/a/',
  '/A/b',
  '/a/b/c?x=1',
  '/a?x=/b?y',
  '/a?',
  '/a#hash',
  '/a/%2Fb',
  '/a//b',
  '//a/b',
  '///',
  '/a/../b',
  '/a/./b',
  '/a%20b/c',
  '/a;p=1/b',
  '/a/b:c@d',
  '/%',
  '/a/%zz',
  '/é'.replace('é', '\xe9'),
  'http://host.example/a/b?x=1',
  'http://host.example',
  'http://host.example?x',
  'https://host.example:444/a',
  'HTTP://HOST/a',
  // `url.parse()` throws for these, the second on Node 20 only.
  'http://[x/a',
  'http://xn--/a',
  'http://user:%@host/a?x=1',
  // Without a path.
  'http://:80',
  'http://:80?x',
  'mailto://h.:0080',
  'x:y',
  '*',
  '/http://x/a',
  '/a\\b',
  '/a"b<c>',
  `/a/${'x'.repeat(2000)}`,
];

const portrait = (req: express.Request): unknown => {
  const { url, originalUrl, baseUrl, path, query, params } = req;
  return { url, originalUrl, baseUrl, path, query, params };
};

const noting =
  (where: string): express.RequestHandler =>
  (req, res, next) => {
    res.append('X-Seen', encodeURIComponent(JSON.stringify([where, portrait(req)])));
    next();
  };

const end: express.RequestHandler = (req, res) => tell(res, () => portrait(req));

const mounted: Build = (app, make) => {
  const [outer, inner, child] = [make.Router(), make.Router({ mergeParams: true }), make()];
  inner.use(noting('inner'));
  outer.use('/b', noting('use /b'), inner);
  outer.use(noting('outer'));
  child.use('/b', noting('child /b'));
  app.use(noting('app'));
  app.use('/a', noting('use /a'), outer);
  app.use('/a/', noting('use /a/'));
  app.use(['/a', '/A/b'], child);
  app.use('/:one', noting('use /:one'), inner);
  app.use(/^\/a/, noting('use RegExp'));
  app.use(end);
};

/** The changes of a rewriting handler; routes for all resulting paths follow. */
const REWRITES: readonly (readonly [string, (req: express.Request) => void])[] = [
  ['to another path', (req) => void (req.url = '/other')],
  ['to the root', (req) => void (req.url = '/')],
  ['to a query alone', (req) => void (req.url = '/?new=1')],
  ['to a query without a slash', (req) => void (req.url = '?new=1')],
  ['to nothing', (req) => void (req.url = '')],
  ['to a longer path', (req) => void (req.url = `/prefix${req.url}`)],
  ['to a shorter path', (req) => void (req.url = req.url.replace(/^\/[^/]*/, '') || '/')],
  ['to two slashes', (req) => void (req.url = '//other')],
  ['to an absolute URL', (req) => void (req.url = 'http://h.example/other?x')],
  ['to what cannot be parsed', (req) => void (req.url = 'http://[x/other')],
  ['to a path without a slash', (req) => void (req.url = 'other')],
  ['to what cannot be decoded', (req) => void (req.url = '/param/%zz')],
  ['to another base', (req) => void (req.baseUrl = '/base')],
  ['to another original', (req) => void (req.originalUrl = '/original')],
  ['to another method', (req) => void (req.method = 'DELETE')],
  ['to other params', (req) => void (req.params = { mine: 'yes' })],
];

const rewriting = REWRITES.map(([name, rewrite]): Program => ({
  name: `req.url, rewritten ${name}`,
  app: (app, make) => {
    const router = make.Router();
    router.use('/late', (req, _res, next) => {
      rewrite(req);
      next();
    });
    router.use(noting('router'));
    router.all(['/other', '/'], noting('route in router'));
    app.use('/early', (req, _res, next) => {
      rewrite(req);
      next();
    });
    app.use(noting('app'));
    app.use('/in', router);
    app.delete('/other', noting('DELETE /other'));
    app.get('/other', noting('GET /other'));
    app.get('/prefix/*rest', noting('GET /prefix'));
    app.get('/param/:one', noting('GET /param'));
    app.use(end);
  },
  rows: requests([
    ['GET /early'],
    ['GET /early/x/y?old=1'],
    ['GET /in/late'],
    ['GET /in/late/'],
    ['GET /in/late/x?old=1'],
    ['GET /in/late?old=1'],
    ['GET http://first.example/early/x?old'],
    ['GET /in/none'],
  ]),
}));

parities([
  {
    name: 'req.url, originalUrl, baseUrl and path on their way',
    app: mounted,
    rows: requests(TARGETS.map((target) => [`GET ${target}`] as const)).map((row, i) => ({
      ...row,
      name: `${i}: ${row.name}`,
      send: request(`GET ${TARGETS[i]}`),
    })),
  },
  ...rewriting,
  {
    name: 'req.url, undefined',
    app: (app) => {
      // The router throws if such a request goes on.
      app.get('/path', (req, res) => {
        Object.assign(req, { url: undefined });
        tell(res, () => req.path);
      });
      app.get('/query', (req, res) => {
        Object.assign(req, { url: undefined });
        tell(res, () => req.query);
      });
    },
    rows: requests([['GET /path'], ['GET /query?a=1']]),
  },
  {
    name: 'req.url, undefined when a mounted handler passes on',
    app: (app) => {
      app.use('/m', (req, res, next) => {
        res.set('X-Asked', req.originalUrl);
        Object.assign(req, { url: undefined });
        tell(res, () => next());
      });
    },
    rows: requests([['GET /m'], ['GET /m?a=1'], ['GET /m/x'], ['GET http://other.example/m/x']]),
  },
]);
