import assert = require('node:assert/strict');
import express = require('express');
import { test } from 'node:test';
import { Route } from '../../src/routing/route.js';
import { Router } from '../../src/routing/router.js';
import type { Next, RoutedRequest, RoutedResponse } from '../../src/routing/shapes.js';

type Loose = Record<string, (...args: unknown[]) => unknown> & { stack: unknown[] };

interface Make {
  (options?: object): Loose;
  new (options?: object): Loose;
  Route: new (path: unknown) => Loose;
}

const ours = Router as unknown as Make;
const theirs = express.Router as unknown as Make;

const handler = (): void => {};

/** Calls that the router refuses, or whose effect is visible on it. */
const calls: Record<string, (make: Make) => unknown> = {
  'param()': (make) => make()['param'](),
  'param(1)': (make) => make()['param'](1),
  'param(name)': (make) => make()['param']('id'),
  'param(name, text)': (make) => make()['param']('id', 'x'),
  'use()': (make) => make()['use'](),
  'use(path)': (make) => make()['use']('/'),
  'use([])': (make) => make()['use']([]),
  'use(text)': (make) => make()['use']('/', 'x'),
  'use([[], fn])': (make) => make()['use']([[], handler]),
  'use(null)': (make) => make()['use'](null),
  'get(path)': (make) => make()['get']('/'),
  'get(path, text)': (make) => make()['get']('/', 'x'),
  'all(path, [])': (make) => make()['all']('/', []),
  'handle without callback': (make) => make()['handle']({}, {}),
  'a star': (make) => make()['get']('*', handler),
  'a group': (make) => make()['use']('/(a)', handler),
  'an optional character': (make) => make()['get']('/a?', handler),
  'a colon at the end': (make) => make()['get']('/:', handler),
  'params side by side': (make) => make()['get']('/:a:b', handler),
  'an unfinished quote': (make) => make()['get']('/:"a', handler),
  'no path, strictly': (make) => make({ strict: true })['route'](undefined),
  'no path': (make) => (make()['route'](undefined) as { path: unknown }).path,
  'a path in a list in a list': (make) => make()['use'](['/a', ['/(b)']], handler),
  'Route#all()': (make) => new make.Route('/')['all'](),
  'Route#get(1)': (make) => new make.Route('/')['get'](1),
};

function outcome(call: () => unknown): unknown {
  try {
    const returned = call();
    return typeof returned === 'function' ? 'a function' : returned;
  } catch (error) {
    // After Express's own text, Nonstop says where the path was given and what to write instead.
    const [message] = (error as Error).message.split('\n  The path is given at ');
    return [(error as Error).name, message];
  }
}

for (const [name, call] of Object.entries(calls)) {
  test(`as in Express: ${name}`, () => {
    assert.deepEqual(
      outcome(() => call(ours)),
      outcome(() => call(theirs)),
    );
  });
}

test('a router that is called without a response leaves its routes as Express does', async () => {
  const ended = [ours, theirs].map((make) => {
    const router = make();
    const goesOn = (_req: unknown, _res: unknown, next: () => void): void => next();
    router['get']('/', goesOn);
    router['get']('/', goesOn, goesOn);
    return new Promise((resolve) => router['handle']({ method: 'GET', url: '/' }, undefined, resolve));
  });
  assert.deepEqual(await Promise.all(ended), [undefined, undefined]);
});

test('listRoutes names what Express names', () => {
  const listed = [ours, theirs].map((make) => {
    const router = make();
    router['use'](handler);
    router['get'](['/a', ['/b']], handler);
    router['all'](/c/, handler);
    (router['route']('/d') as Loose)['post'](handler);
    (router['route']('/empty') as Loose)['head']?.(handler);
    router['use']('/sub', make());
    const lines = router['listRoutes']() as { path: unknown; methods: unknown; router: unknown }[];
    return lines.map(({ path, methods, router: mounted }) => [path, methods, typeof mounted]);
  });
  assert.equal(listed[0].length, 6);
  assert.deepEqual(listed[0], listed[1]);
});

test('a router has the methods of a function, and of every verb', () => {
  const router = ours();
  assert.equal(typeof router['call'], 'function');
  assert.ok(router instanceof ours);
  for (const name of Object.keys(theirs.prototype as object)) {
    assert.equal(typeof router[name], 'function', name);
    assert.ok(Object.keys(ours.prototype as object).includes(name), name);
  }
  assert.ok(new ours.Route('/') instanceof Route);
});

test('thousands of layers that call next at once do not exhaust the stack', async () => {
  const router = Router();
  let calls = 0;
  for (let i = 0; i < 6000; i++) {
    router.use((_req: RoutedRequest, _res: RoutedResponse, next: Next) => {
      calls++;
      next();
    });
  }
  const route = router.route('/') as unknown as {
    get(handle: (req: never, res: never, next: () => void) => void): void;
  };
  for (let i = 0; i < 6000; i++) {
    route.get((_req, _res, next) => {
      calls++;
      next();
    });
  }
  await new Promise((resolve) => router.handle({ method: 'GET', url: '/' }, {} as never, resolve));
  assert.equal(calls, 12_000);
});

test('the request is restored after each of many routers', async () => {
  const inner = Router({ mergeParams: true });
  const outer = Router();
  const seen: unknown[] = [];
  inner.use('/:b', (req: RoutedRequest, _res: RoutedResponse, next: Next) => {
    seen.push([req.baseUrl, req.url, { ...req.params }]);
    next();
  });
  outer.use('/:a', inner);
  const req = { method: 'GET', url: '/1/2/3?q', params: { mine: 'x' }, baseUrl: '/base', next: undefined };
  await new Promise((resolve) => outer.handle(req, {} as never, resolve));
  assert.deepEqual(seen, [['/base/1/2', '/3?q', { a: '1', b: '2' }]]);
  assert.deepEqual([req.url, req.baseUrl, req.params, req.next], ['/1/2/3?q', '/base', { mine: 'x' }, undefined]);
});

test('a match of the program that leaves on the layer what it found, as in router 2.0 to 2.2, is one', async () => {
  const router = Router();
  const seen: unknown[] = [];
  const handle = (req: RoutedRequest, _res: RoutedResponse, next: Next): void => {
    seen.push([req.baseUrl, req.url, req.params]);
    next();
  };
  const found = { params: { own: '1' }, path: '/a', keys: ['own'] };
  router.use('/elsewhere', handle);
  Object.assign(router.stack[0], found, { match: () => true });
  router.stack.push({ ...found, match: () => true, handleRequest: handle } as never);
  router.stack.push(Object.freeze({ match: () => false }) as never);
  const req = { method: 'GET', url: '/a/b' };
  const error = await new Promise((resolve) => router.handle(req, {} as never, resolve));
  assert.deepEqual(seen, [
    ['/a', '/b', { own: '1' }],
    ['/a', '/b', { own: '1' }],
  ]);
  assert.ok(error instanceof TypeError, 'a frozen object cannot become a layer');
});
