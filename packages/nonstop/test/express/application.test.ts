import assert = require('node:assert/strict');
import { once } from 'node:events';
import http = require('node:http');
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import express = require('express');
import { folder } from '../support/folder.js';
import { scenes, told } from '../support/scenes.js';
import { ours } from '../support/framework.js';

const views = folder({ 'page.txt': 'page', 'sub/index.txt': 'index', 'other.md': 'other' });

const render = (path: string, options: object, done: (error: unknown, text: string) => void): void =>
  done(null, JSON.stringify([path.slice(-9), { ...options, settings: undefined }]));

scenes({
  'settings of a new application': (make) =>
    Object.entries(make().settings as object).map(([name, value]) => [name, told(value)]),
  'settings in production': (make) => {
    const before = process.env['NODE_ENV'];
    process.env['NODE_ENV'] = 'production';
    try {
      return [make().get('env'), make().enabled('view cache')];
    } finally {
      if (before === undefined) delete process.env['NODE_ENV'];
      else process.env['NODE_ENV'] = before;
    }
  },
  'own and inherited names': (make) => Object.keys(make()).toSorted(),
  'names of the framework': (make) => Object.keys(make).toSorted(),
  'names of the request': (make) => Object.keys(make.request).toSorted(),
  'names of the response': (make) => Object.keys(make.response).toSorted(),
  'set and get': (make) => {
    const app = make();
    app.set('a', 1).enable('b').disable('c').set('d', undefined);
    return [
      app.get('a'),
      (app.set as (name: string) => unknown)('a'),
      app.enabled('b'),
      app.disabled('c'),
      app.enabled('nope'),
      app.disabled('nope'),
      'd' in app.settings,
    ];
  },
  'etag: strong': (make) => (make().set('etag', 'strong').get('etag fn') as (body: string) => string)('body'),
  'etag: weak': (make) => (make().set('etag', true).get('etag fn') as (body: string) => string)('body'),
  'etag: off': (make) => make().set('etag', false).get('etag fn'),
  'etag: unknown': (make) => make().set('etag', 7),
  'query parser: unknown': (make) => make().set('query parser', 'odd'),
  'query parser: extended': (make) =>
    (make().set('query parser', 'extended').get('query parser fn') as (text: string) => unknown)(
      'a[b]=1&hasOwnProperty=2',
    ),
  'trust proxy: not an address': (make) => make().set('trust proxy', 'nowhere'),
  'trust proxy: hops': (make) =>
    [0, 1, 2, 3].map((hop) =>
      (make().set('trust proxy', 2).get('trust proxy fn') as (a: string, i: number) => boolean)('x', hop),
    ),
  'use()': (make) => (make().use as () => unknown)(),
  'use(path, [])': (make) => make().use('/', []),
  'use(text)': (make) => make().use('/', 'x' as never),
  'get(path, nothing)': (make) => make().get('/x', undefined as never),
  'engine without function': (make) => make().engine('x', undefined as never),
  'engines with and without a dot': (make) =>
    Object.keys(
      (
        make()
          .engine('a', render as never)
          .engine('.b', render as never) as unknown as { engines: object }
      ).engines,
    ),
  'param(names)': (make) => {
    const app = make();
    app.param(['a', 'b'], (_req, _res, next) => next());
    return Object.keys((app.router as unknown as { params: object }).params);
  },
  'param(function)': (make) => (make().param as unknown as (fn: unknown) => unknown)(() => {}),
  'router settings': (make) => {
    const app = make().enable('case sensitive routing').enable('strict routing');
    const { caseSensitive, strict, mergeParams } = app.router as unknown as Record<string, unknown>;
    return [caseSensitive, strict, mergeParams, app.router === app.router];
  },
  'layers of the stack': (make) => {
    const app = make();
    app.use(function named() {});
    app.use('/sub', make());
    app.get('/x', () => {});
    app.all('/y', () => {});
    const { stack } = app.router as unknown as {
      stack: { name: string; route?: { path: string; stack: unknown[]; methods: object } }[];
    };
    return stack.map(({ name, route }) => [name, route?.path, route?.stack.length, Object.keys(route?.methods ?? {})]);
  },
  'path of mounted applications': (make) => {
    const [top, blog, admin] = [make(), make(), make()];
    const parents: unknown[] = [];
    blog.on('mount', (parent) => parents.push(parent === top));
    top.use('/blog', blog);
    blog.use(['/admin', '/root'], admin);
    return [top.path(), blog.path(), admin.path(), top.mountpath, blog.mountpath, admin.mountpath, parents];
  },
  'settings of mounted applications': (make) => {
    const [top, child] = [make(), make()];
    top
      .set('trust proxy', true)
      .set('top', 1)
      .engine('x', render as never);
    top.use(child);
    top.set('later', 2);
    return [
      child.get('top'),
      child.get('later'),
      child.get('trust proxy'),
      'x' in { ...(child as unknown as { engines: object }).engines },
    ];
  },
  'a trust of its own when mounted': (make) => {
    const child = make().set('trust proxy', 3);
    make().set('trust proxy', true).use(child);
    return child.get('trust proxy');
  },
  locals: (make) => [Object.getPrototypeOf(make().locals), Object.keys(make().locals)],
  'what is added to express.application': (make) => {
    const application = make.application as unknown as Record<string, unknown>;
    application['added'] = () => 'added';
    try {
      return (make() as unknown as { added(): string }).added();
    } finally {
      delete application['added'];
    }
  },
});

/** Views by name, and the expected results. */
const named: readonly (readonly [name: string, options: object, settings?: Record<string, unknown>])[] = [
  ['page.txt', { a: 1, _locals: { a: 0, b: 2 } }],
  ['page', {}, { 'view engine': 'txt' }],
  ['page', {}, { 'view engine': '.txt' }],
  ['sub', {}, { 'view engine': 'txt' }],
  ['page', {}],
  ['absent.txt', {}],
  ['absent.txt', {}, { views: [views, '/nowhere', '/neither'] }],
  ['page.txt', { cache: true }, { views: ['/nowhere', views] }],
  ['other.md', {}],
  ['page.txt', {}, { 'view engine': 'never asked' }],
];

for (const [name, options, settings] of named) {
  test(`as in Express: render(${JSON.stringify([name, options, settings]).replaceAll(views, 'VIEWS')})`, async () => {
    const outcomes = [ours, express].map(async (make) => {
      const app = make()
        .set('views', views)
        .engine('txt', render as never);
      app.locals['local'] = 'yes';
      for (const [setting, value] of Object.entries(settings ?? {})) app.set(setting, value);
      try {
        return await new Promise((resolve) =>
          app.render(name, options, (error, text) => resolve([error?.message, text])),
        );
      } catch (error) {
        return (error as Error).message.split('\n')[0];
      }
    });
    const [actual, expected] = await Promise.all(outcomes);
    assert.deepEqual(actual, expected);
  });
}

test('render without a callback throws the same errors as in Express', () => {
  const [actual, expected] = [ours, express].map((make) => {
    const app = make().set('views', views);
    app.engine('txt', () => {
      throw new Error('of the engine');
    });
    return ['none.txt', 'page.txt'].map((name) => {
      try {
        app.render(name);
        return 'nothing thrown';
      } catch (error) {
        return String(error);
      }
    });
  });
  assert.deepEqual(actual, expected);
});

test('a view is looked up once if views are cached, and options may be left out', async () => {
  let made = 0;
  const app = ours();
  app.set(
    'view',
    class {
      path = '/found';
      constructor() {
        made++;
      }
      render(_options: object, done: (error: unknown, text: string) => void): void {
        done(null, 'text');
      }
    },
  );
  app.enable('view cache');
  for (let i = 0; i < 2; i++)
    assert.equal(
      await new Promise((resolve) => app.render('x', (_error: Error, text?: string) => resolve(text))),
      'text',
    );
  assert.equal(made, 1);
});

test('listen gives a genuine server and calls back once, when it listens', async () => {
  let calls = 0;
  const server = ours().listen(0, '127.0.0.1', () => calls++);
  assert.ok(server instanceof http.Server);
  await once(server, 'listening');
  server.emit('error', new Error('not for the callback'));
  assert.equal(calls, 1);
  server.close();
  await once(server, 'close');
});

test('listen calls back with the error if the port is in use', async () => {
  const server = ours().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const error = await new Promise<NodeJS.ErrnoException | undefined>((resolve) =>
    ours().listen(port, '127.0.0.1', resolve),
  );
  assert.equal(error?.code, 'EADDRINUSE');
  server.close();
});
