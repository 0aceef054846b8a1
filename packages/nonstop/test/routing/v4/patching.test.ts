import assert = require('node:assert/strict');
import { test } from 'node:test';
import express4 = require('express4');
import { Router } from '../../../src/routing/v4/router.js';

/** The parts of Express 4 that instrumentation changes. */
interface Loose {
  (...args: unknown[]): unknown;
  [name: string]: unknown;
}
type Handler = (...args: unknown[]) => unknown;

const makers = { theirs: express4.Router as unknown as Loose, ours: Router as unknown as Loose };

/** Runs one request through a router that `add` has filled. @returns the notes, and how it ended */
async function trail(make: Loose, patch: (note: (what: unknown) => void) => () => void): Promise<unknown[]> {
  const notes: unknown[] = [];
  const undo = patch((what) => notes.push(what));
  try {
    const router = make() as Record<string, Handler>;
    router['use']((_req: unknown, _res: unknown, next: Handler) => next());
    router['param']('id', (_req: unknown, _res: unknown, next: Handler, value: unknown) => (notes.push(value), next()));
    router['get']('/a/:id', async () => Promise.reject(new Error('rejected')));
    router['use']((error: Error, _req: unknown, _res: unknown, next: Handler) => next(`handled ${error.message}`));
    const request = { method: 'GET', url: '/a/1' };
    const ended = new Promise((resolve) => router['handle'](request, {}, resolve));
    notes.push(await ended);
  } finally {
    undo();
  }
  return notes;
}

/** The class of a router's layers. */
function layerOf(make: Loose): { prototype: Record<string, Handler> } {
  const { use, stack } = make() as { use: Handler; stack: { constructor: unknown }[] };
  use.call({ stack }, () => undefined);
  return stack[0].constructor as { prototype: Record<string, Handler> };
}

/** Calls `next` with a rejected promise's reason, as express-async-errors does. */
function forwarding(handler: unknown): unknown {
  const own = handler as Handler;
  const forward = (args: unknown[]): unknown =>
    Promise.resolve(own(...args)).catch((error: unknown) => (args.at(-1) as Handler)(error));
  return own.length === 4
    ? (error: unknown, req: unknown, res: unknown, next: unknown) => forward([error, req, res, next])
    : (req: unknown, res: unknown, next: unknown) => forward([req, res, next]);
}

const kHandle = Symbol('handle');

const patches: Record<string, (make: Loose, note: (what: unknown) => void) => () => void> = {
  'an accessor for handle on the prototype of layers': (make) => {
    const { prototype } = layerOf(make);
    Object.defineProperty(prototype, 'handle', {
      configurable: true,
      get(this: Record<symbol, unknown>) {
        return this[kHandle];
      },
      set(this: Record<symbol, unknown>, handler: unknown) {
        this[kHandle] = forwarding(handler);
      },
    });
    return () => Reflect.deleteProperty(prototype, 'handle');
  },
  'a wrapped handle_request that catches rejections': (make) => {
    const { prototype } = layerOf(make);
    const own = prototype['handle_request'];
    prototype['handle_request'] = function (this: { handle: unknown }, ...args) {
      this.handle = forwarding(this.handle);
      return own.apply(this, args);
    };
    return () => (prototype['handle_request'] = own);
  },
};

for (const [name, patch] of Object.entries(patches)) {
  test(`${name} works as in Express 4`, async () => {
    const [theirs, ours] = await Promise.all(
      Object.values(makers).map((make) => trail(make, (note) => patch(make, note))),
    );
    assert.deepEqual(ours, theirs);
    assert.deepEqual(theirs.at(-1), 'handled rejected');
  });
}

for (const method of ['process_params', 'use', 'route', 'handle'] as const) {
  test(`a wrapped ${method} of the function that creates routers sees the same as in Express 4`, async () => {
    const seen = await Promise.all(
      Object.values(makers).map(async (make) => {
        const calls: number[] = [];
        const own = make[method] as Handler;
        make[method] = function (this: unknown, ...args: unknown[]) {
          calls.push(args.length);
          return own.apply(this, args);
        };
        try {
          const router = make() as Record<string, Handler>;
          router['use'](() => undefined);
          router['get']('/a', () => undefined);
          const passing = make() as Record<string, Handler>;
          passing['use'](router);
          passing['handle']({ method: 'GET', url: '/a' }, {}, () => undefined);
        } finally {
          make[method] = own;
        }
        return calls;
      }),
    );
    assert.deepEqual(seen[1], seen[0]);
    assert.notEqual(seen[0].length, 0);
  });
}

test('a handler is called by a function that express-rate-limit looks for in the stack', () => {
  for (const make of [makers.theirs, makers.ours]) {
    let stack = '';
    const router = make() as Record<string, Handler>;
    router['use'](() => (stack = String(new Error().stack)));
    router['handle']({ method: 'GET', url: '/' }, {}, () => undefined);
    // With source maps node leaves out the second name.
    assert.match(stack, /Layer\.handle (\[as handle_request\] )?\(/);
  }
});

/** So many routes that a router looks up which of them can match. @returns the handlers that GET `url` reaches behind the change */
async function reached(make: Loose, change: (stack: LooseLayer[]) => void, url: string): Promise<unknown[]> {
  const seen: unknown[] = [];
  const router = make() as Record<string, Handler> & { readonly stack: LooseLayer[] };
  for (let i = 0; i < 20; i++) {
    router['get'](`/route/${i}`, (_req: unknown, _res: unknown, next: Handler) => (seen.push(i), next()));
  }
  change(router.stack);
  await new Promise((resolve) => router['handle']({ method: 'GET', url }, {}, resolve));
  return seen;
}

interface LooseLayer extends Record<string, unknown> {
  params: unknown;
  path: unknown;
}
type LayerClass = new (...args: unknown[]) => LooseLayer;

const changes: Record<string, (stack: LooseLayer[]) => void> = {
  'a layer whose class has its own match': (stack) => {
    class Own extends (stack[0].constructor as LayerClass) {
      match(): boolean {
        Object.assign(this, { params: {}, path: '' });
        return true;
      }
    }
    const own = new Own('/none', {}, () => undefined);
    own['route'] = stack[3]['route'];
    own['handle'] = stack[3]['handle'];
    stack.unshift(own);
  },
  'a layer with the route of another': (stack) => void (stack[7]['route'] = stack[8]['route']),
  'a layer with null for a route': (stack) => void (stack[7]['route'] = null),
};

for (const [name, change] of Object.entries(changes)) {
  test(`${name} works as in Express 4`, async () => {
    const [theirs, ours] = await Promise.all(Object.values(makers).map((make) => reached(make, change, '/route/7')));
    assert.deepEqual(ours, theirs);
    assert.notEqual(theirs.length, 0);
  });
}
