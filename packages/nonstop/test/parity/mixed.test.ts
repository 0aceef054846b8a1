// Express 4 and 5 in one application: routers, applications and middleware of one in the other, genuine and Nonstop's mixed.
import assert = require('node:assert/strict');
import { once } from 'node:events';
import path = require('node:path');
import { describe, test } from 'node:test';
import express5 = require('express');
import { request } from '../support/beside-express.js';
import { maskDate } from '../support/both-doors.js';
import { doors, type Door } from '../support/doors.js';
import { folder } from '../support/folder.js';
import type { Framework } from '../support/framework.js';
import { RawClient } from '../support/raw-http.js';
import { served } from '../support/served.js';
import { subject } from '../support/subject.js';

type Major = 4 | 5;
type Loose = Record<string, (...args: unknown[]) => unknown>;

const GENUINE: Readonly<Record<Major, Framework>> = { 4: require('express4') as Framework, 5: express5 };
const OURS: Readonly<Record<Major, Framework>> = {
  4: require(path.join(subject, 'v4.js')) as Framework,
  5: require(path.join(subject, 'index.js')) as Framework,
};

/** A path that one major version knows and the other does not: the part after `/w/`. */
const REST: Readonly<Record<Major, string>> = { 4: '/w/*', 5: '/w/*rest' };

/** Mounts an object of one major version in an application of the other. */
type Mix = (app: express5.Express, inner: Framework, outer: Framework, major: Major) => void;

const files = folder({ 'a.txt': 'text', '.dot': 'hidden', 'a.js': 'script' });

/** What a handler sees, through the methods of its own framework. */
const seen: express5.RequestHandler = (req, res) =>
  void res.json([req.params, req.query, req.url, req.baseUrl, req.originalUrl, req.path, req.host, req.ip, req.fresh]);

/** Routes that the major versions answer differently. */
function routes(target: express5.IRouter, major: Major): void {
  target.get('/seen/:id', seen);
  target.get('/number', (_req, res) => void res.send(404));
  target.get('/type', (_req, res) => void res.type('js').send('x'));
  target.get('/redirect', (_req, res) => res.redirect('back'));
  target.get('/status', (_req, res) => void res.status('201' as unknown as number).send('x'));
  target.get('/error', (_req, _res, next) => next(Object.assign(new Error('given'), { status: 418 })));
  target.get('/thrown', () => {
    throw new Error('thrown');
  });
  target.get(REST[major], (req, res) => void res.json(req.params));
  target.options('/options', (_req, _res, next) => next());
  target.get('/options', (_req, res) => void res.end());
  if (major === 5) target.get('/rejected', async () => Promise.reject(new Error('rejected')));
}

/** The layer after it: the outer application's prototypes are back. */
function behind(app: express5.Express, major: Major): void {
  app.get(/after$/, seen);
  app.get(/number/, (_req, res) => void res.send(404));
  app.use((req: express5.Request, res: express5.Response) => void res.status(404).json([req.url, major]));
  app.use((error: Error, req: express5.Request, res: express5.Response, _next: unknown) => {
    res.status(500).json([error.name, error.message, req.url, req.baseUrl, req.params]);
  });
}

const other = (major: Major): Major => (major === 4 ? 5 : 4);

const MIXES: Readonly<Record<string, Mix>> = {
  'a router': (app, inner, _outer, major) => {
    const router = inner.Router();
    routes(router, other(major));
    app.use('/in', router);
  },
  'a router with a param of the mount': (app, inner, _outer, major) => {
    const router = inner.Router({ mergeParams: true });
    router.param('id', (_req, res, next, value: string) => (res.set('X-Id', value), next()));
    routes(router, other(major));
    app.use('/:mount', router);
  },
  'an application': (app, inner, _outer, major) => {
    const child = inner();
    child.set('json spaces', 2);
    child.locals['of'] = 'child';
    routes(child, other(major));
    child.get(
      '/app',
      (req, res) => void res.json([req.app === child, res.app === child, child.mountpath, child.path()]),
    );
    app.use('/in', child);
  },
  'an application in one that adds nothing to the messages': (app, inner, outer, major) => {
    const [middle, child] = [outer(), inner()];
    child.set('json spaces', 2).set('trust proxy', true);
    child.get(
      '/app',
      (req, res) => void res.json([req.app === child, res.app === child, Object.keys(req).includes('app')]),
    );
    routes(child, other(major));
    middle.use(child);
    middle.get('/after', seen);
    app.use('/in', middle);
  },
  'an application behind one that adds nothing and goes on': (app, inner, outer, major) => {
    const child = inner();
    child.get('/app', (req, res) => void res.json([req.app === child, res.app === child]));
    routes(child, other(major));
    app.use(outer().use((_req, _res, next) => next()));
    app.use('/in', child);
  },
  'messages that a handler of a mounted application gives to another one': (app, inner, outer) => {
    const [middle, child] = [outer(), inner()];
    child.set('json spaces', 2);
    const give: express5.RequestHandler = (req, res, next) => {
      Object.setPrototypeOf(req, child.request);
      Object.setPrototypeOf(res, child.response);
      next();
    };
    const tell: express5.RequestHandler = (req, res) =>
      void res.json([req.app === child, res.app === child, Object.create(req).app === child]);
    middle.get('/app', give, tell);
    middle.use((_req, _res, next) => next());
    app.use('/in', middle);
    app.use('/in/seen', give, tell);
  },
  'an application that a handler of a mounted one calls': (app, inner, outer, major) => {
    const [middle, child] = [outer(), inner()];
    child.get('/app', (req, res) => void res.json([req.app === child, res.app === child]));
    routes(child, other(major));
    middle.use((req, res, next) => (child as unknown as express5.RequestHandler)(req, res, next));
    app.use('/in', middle);
  },
  'an application with its own methods of messages': (app, inner, _outer, major) => {
    const child = inner();
    (child.response as unknown as Loose)['send'] = function (this: express5.Response, text: unknown) {
      return this.end(`sent ${String(text)}`);
    };
    routes(child, other(major));
    app.use('/in', child);
  },
  'an application that a handler calls': (app, inner, _outer, major) => {
    const child = inner();
    routes(child, other(major));
    child.use((_req, _res, next) => next());
    app.use((req, res, next) => {
      req.url = req.url.replace('/in', '');
      (child as unknown as express5.RequestHandler)(req, res, next);
    });
  },
  'a router in a router of the outer one, and one of its own in that': (app, inner, outer, major) => {
    const [middle, deep, deepest] = [outer.Router(), inner.Router(), outer.Router()];
    routes(deepest, major);
    deep.use('/deep', deepest);
    routes(deep, other(major));
    middle.use(deep);
    app.use('/in', middle);
  },
  'body parsers and static': (app, inner) => {
    app.use(inner.json(), inner.urlencoded({ extended: true }), inner.text());
    app.post('/in/body', (req, res) => void res.json([typeof req.body, req.body]));
    app.use('/in', inner.static(files));
    app.use('/in/strict', inner.static(files, { fallthrough: false }));
  },
  'the parsers of both, one behind the other': (app, inner, outer) => {
    app.use(inner.json(), outer.json(), inner.urlencoded({ extended: false }), outer.urlencoded({ extended: true }));
    app.post('/in/body', (req, res) => void res.json([typeof req.body, req.body]));
  },
};

const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const json = { 'Content-Type': 'application/json' };
const SENT: readonly Buffer[] = [
  ...[
    'seen/7?a[b]=1',
    'number',
    'type',
    'redirect',
    'status',
    'error',
    'thrown',
    'rejected',
    'w/x/y',
    'app',
    'after',
  ].map((name) => request(`GET /in/${name}`, { Host: 'a.example:81', Referrer: '/back' })),
  ...['deep/seen/7', 'deep/number', 'deep/w/x', 'a.txt', '.dot', 'a.js', 'strict/none', ''].map((name) =>
    request(`GET /in/${name}`),
  ),
  request('GET /after?a[b]=1', { Host: 'a.example:81' }),
  request('GET /number'),
  request('HEAD /in/seen/7'),
  request('OPTIONS /in/options'),
  request('GET /in/%zz'),
  request('POST /in/body'),
  request('POST /in/body', json, '{"a":{"b":[1]}}'),
  request('POST /in/body', json, '{"a":'),
  request('POST /in/body', form, 'a[b]=1&c=%E9'),
  request('POST /in/body', { 'Content-Type': 'text/plain; charset=utf-8' }, 'text'),
];

interface Pair {
  readonly outer: Framework;
  readonly inner: Framework;
}

function build(mix: Mix, { outer, inner }: Pair, major: Major): express5.Express {
  const app = outer();
  app.set('env', 'production');
  mix(app, inner, outer, major);
  behind(app, major);
  return app;
}

/** The application's answers to all requests. */
async function answers(app: express5.Express, door: Door): Promise<string[]> {
  const server = door.createServer({}, app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const found: string[] = [];
  try {
    for (const bytes of SENT) {
      const client = await RawClient.open(server);
      await client.send(bytes);
      found.push(`${bytes.toString('latin1').split('\r\n')[0]}\n${maskDate(await client.untilClose())}`);
      client.drop();
    }
    return found;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Which of the two is genuine Express. */
const PAIRS: readonly (readonly [title: string, pair: (major: Major) => Pair])[] = [
  ['both of Nonstop', (major) => ({ outer: OURS[major], inner: OURS[other(major)] })],
  ['in a genuine Express', (major) => ({ outer: GENUINE[major], inner: OURS[other(major)] })],
  ['a genuine Express in Nonstop', (major) => ({ outer: OURS[major], inner: GENUINE[other(major)] })],
];

for (const major of [4, 5] as const) {
  describe(`Express ${other(major)} in an application of Express ${major}`, () => {
    const [plain, engine] = doors;
    for (const [name, mix] of Object.entries(MIXES)) {
      const genuine = { outer: GENUINE[major], inner: GENUINE[other(major)] };
      let expected: Promise<string[]> | undefined;
      for (const [title, pair] of PAIRS) {
        test(`${name}: ${title}`, async () => {
          expected ??= answers(build(mix, genuine, major), plain);
          const right = await expected;
          const before = served()[engine.serves];
          assert.deepEqual(await answers(build(mix, pair(major), major), engine), right);
          assert.equal(served()[engine.serves] - before, SENT.length, `requests that ${engine.serves} has served`);
        });
      }
    }
  });
}

test('the answers of the two mixtures differ, so that they show whose ways hold where', async () => {
  const [plain] = doors;
  const [in5, in4] = await Promise.all(
    ([5, 4] as const).map(async (major) =>
      answers(build(MIXES['a router'], { outer: GENUINE[major], inner: GENUINE[other(major)] }, major), plain),
    ),
  );
  const differing = in5.filter((answer, index) => answer !== in4[index]);
  assert.ok(differing.length >= 4, `${differing.length} differ`);
});
