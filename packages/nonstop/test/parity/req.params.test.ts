import type express = require('express');
import { parities, pipelined, tell, type Program } from './stage.js';

type Path = string | RegExp | (string | RegExp)[];

/** Paths of path-to-regexp 8, each as a route and as a mount path. */
const PATHS: readonly Path[] = [
  '/',
  '',
  '/a',
  '/a/',
  '/a/b',
  '/:id',
  '/:id/',
  '/a/:id',
  '/:one/:two',
  '/:one-:two',
  '/:one.:two',
  '/:file.json',
  '/v:major.:minor',
  '/*rest',
  '/a/*rest',
  '/*rest/end',
  '/*one/x/*two',
  '/a{/b}',
  '/a{/:id}',
  '/{:id}',
  '{/:lang}/a',
  '/a{b}c',
  '/a{.:ext}',
  '/:id{.:ext}',
  '/a{/:one{/:two}}',
  '/:"quoted name"',
  '/:id\\:verb',
  '/a\\*b',
  '/é/:id',
  '/a b',
  '/:$_1',
  '/:constructor',
  '/:__proto__',
  '/:id/:id',
  /^\/a/,
  /^\/(\d+)$/,
  /^\/(?<name>[a-z]+)\/(\w+)?/,
  /\/a(b)?(c)?$/i,
  /(?:x)(y)?/,
  /^\/((?!b).*)$/,
  ['/a', '/:id'],
  ['/:one', /^\/(\w+)\/(\w+)/],
  [['/a/:x', '/b'], '/*rest'] as never,
  [],
];

const TARGETS = [
  '/',
  '/a',
  '/A',
  '/a/',
  '/a/b',
  '/a/b/',
  '/a/b/c',
  '/abc',
  '/7',
  '/x.json',
  '/1-2',
  '/v1.2',
  '/a%2Fb',
  '/%C3%A9/x',
  '/a%20b',
  '/a/end',
  '/p/x/q',
  '/x:verb',
  '/a*b',
  '//',
  '//a',
  '/a//b',
  '/%zz',
  '/a/%e0%a4',
  '/%',
  '/a?b=c',
  '/xy',
];

/** One program for each path: a route, a mount and a param callback, each of which outputs its parameters. */
const paths = PATHS.map((path): Program => ({
  name: `req.params of ${Array.isArray(path) ? `[${path.map(String).join(', ')}]` : String(path) || "''"}`,
  app: (app, make) => {
    const seen =
      (where: string): express.RequestHandler =>
      (req, res, next) => {
        res.append(
          'X-Seen',
          encodeURIComponent(
            JSON.stringify([
              where,
              req.params,
              req.url,
              req.baseUrl,
              Object.getPrototypeOf(req.params) === null,
              String(req.route?.path),
            ]),
          ),
        );
        next();
      };
    for (const name of ['id', 'one', 'rest', '0', 'name']) {
      app.param(name, (_req, res, next, value, key) => {
        res.append('X-Param', encodeURIComponent(JSON.stringify([key, value])));
        next();
      });
    }
    app.use(path, seen('use'));
    app.use(path, make.Router({ mergeParams: true }).use(seen('merged')).use('/:own', seen('merged with its own')));
    app.get(path, seen('get'));
    app.all(path, seen('all'));
    app.use((req, res) => tell(res, () => [req.params, req.url]));
  },
  rows: pipelined(TARGETS.map((target) => [`GET ${target}`] as const)),
}));

parities(paths);
