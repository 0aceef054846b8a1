import assert = require('node:assert/strict');
import { test } from 'node:test';
import { Layer } from '../../src/routing/layer/layer.js';
import { Route } from '../../src/routing/route.js';
import { Router } from '../../src/routing/router.js';
import type { Handle, Next, RoutedRequest, RoutedResponse } from '../../src/routing/shapes.js';

// What OpenTelemetry, Sentry and similar agents do to a router.

interface Verbs {
  get(...handles: Handle[]): unknown;
}

const pass = (_req: RoutedRequest, _res: RoutedResponse, next: Next): void => next();

async function send(router: Router, url = '/'): Promise<unknown> {
  return new Promise((resolve) => router.handle({ method: 'GET', url }, {} as RoutedResponse, resolve));
}

/** Runs `body` while a method is wrapped. */
async function patched<T extends object, K extends keyof T>(
  [target, name]: readonly [T, K],
  wrap: (original: T[K]) => T[K],
  body: () => Promise<void>,
): Promise<void> {
  const original = target[name];
  target[name] = wrap(original);
  try {
    await body();
  } finally {
    target[name] = original;
  }
}

function routerWithRoute(): Router {
  const router = Router();
  router.use(pass);
  (router.route('/') as unknown as Verbs).get(pass);
  return router;
}

test('a patched Layer.prototype.handleRequest sees middleware, the layer of a route and its handlers', async () => {
  const names: string[] = [];
  const router = routerWithRoute();
  await patched(
    [Layer.prototype, 'handleRequest'],
    (original) =>
      function (this: Layer, ...args) {
        names.push(this.name);
        return original.apply(this, args);
      },
    async () => void (await send(router)),
  );
  assert.deepEqual(names, ['pass', 'handle', 'pass']);
});

test('a patched Layer.prototype.handleError sees an error', async () => {
  const seen: unknown[] = [];
  const router = routerWithRoute();
  const error = new Error('seen');
  router.stack.unshift(
    new Layer('/', { end: false }, (_req: RoutedRequest, _res: RoutedResponse, next: Next) => next(error)),
  );
  await patched(
    [Layer.prototype, 'handleError'],
    (original) =>
      function (this: Layer, ...args) {
        seen.push(args[0]);
        return original.apply(this, args);
      },
    async () => assert.equal(await send(router), error),
  );
  assert.deepEqual(seen, [error]);
});

test('a patched Route.prototype.dispatch sees a route of one handler', async () => {
  const paths: unknown[] = [];
  const router = routerWithRoute();
  await patched(
    [Route.prototype, 'dispatch'],
    (original) =>
      function (this: Route, ...args) {
        paths.push(this.path);
        return original.apply(this, args);
      },
    async () => void (await send(router)),
  );
  assert.deepEqual(paths, ['/']);
});

test('a handle that replaces one that has run may have another number of parameters', async () => {
  const seen: string[] = [];
  const router = Router();
  router.use((_req: RoutedRequest, _res: RoutedResponse, next: Next) => next(seen.push('request') === 1 ? 'one' : 0));
  const layer = router.stack[0];
  router.use(pass);
  assert.equal(await send(router), 'one');
  layer.handle = (_error: unknown, _req: RoutedRequest, _res: RoutedResponse, next: Next) => {
    seen.push('error');
    next();
  };
  assert.equal(await send(router), undefined);
  assert.deepEqual(seen, ['request']);
  router.stack.unshift(
    new Layer('/', { end: false }, (_req: RoutedRequest, _res: RoutedResponse, next: Next) => next(new Error('now'))),
  );
  assert.equal(await send(router), undefined);
  assert.deepEqual(seen, ['request', 'error']);
});

test('the handle of a layer may be replaced after it was added', async () => {
  const router = routerWithRoute();
  const called: string[] = [];
  for (const layer of router.stack) {
    const handle = layer.handle as (...args: unknown[]) => unknown;
    layer.handle = (req: RoutedRequest, res: RoutedResponse, next: Next) => {
      called.push(layer.name);
      return handle(req, res, next);
    };
  }
  await send(router);
  assert.deepEqual(called, ['pass', 'handle']);
});

test('patched use, route and handle of Router.prototype see additions and requests', async () => {
  const calls: string[] = [];
  const { prototype } = Router;
  const wrap =
    (name: string) =>
    (original: unknown): never =>
      function (this: Router, ...args: unknown[]) {
        calls.push(`${name} ${this.stack.length}`);
        return (original as (...args: unknown[]) => unknown).apply(this, args);
      } as never;
  await patched([prototype, 'use'], wrap('use'), async () => {
    await patched([prototype, 'route'], wrap('route'), async () => {
      await patched([prototype, 'handle'], wrap('handle'), async () => void (await send(routerWithRoute())));
    });
  });
  assert.deepEqual(calls, ['use 0', 'route 1', 'handle 2']);
});

test('after use and route the last layer of the stack is the added one', () => {
  const router = Router();
  router.use('/under', pass);
  assert.equal(router.stack.at(-1)?.handle, pass);
  assert.equal(router.stack.at(-1)?.name, 'pass');
  assert.equal(router.stack.at(-1)?.route, undefined);
  const route = router.route('/x');
  assert.equal(router.stack.at(-1)?.route, route);
});

test('a handler that a handler adds to its own route is called next', async () => {
  const router = Router();
  const called: string[] = [];
  const route = router.route('/') as unknown as Verbs;
  route.get((_req: RoutedRequest, _res: RoutedResponse, next: Next) => {
    route.get((_inner: RoutedRequest, _response: RoutedResponse, onward: Next) => {
      called.push('second');
      onward();
    });
    called.push('first');
    next();
  });
  await send(router);
  assert.deepEqual(called, ['first', 'second']);
});

test('a class may extend Router', async () => {
  class Counting extends Router {
    count = 0;
  }
  const router = new Counting();
  assert.ok(router instanceof Router);
  assert.ok(router instanceof Counting);
  router.use(pass);
  assert.equal(await send(router), undefined);
});
