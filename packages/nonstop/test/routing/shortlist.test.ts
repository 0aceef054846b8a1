import assert = require('node:assert/strict');
import { test } from 'node:test';
import { Layer } from '../../src/routing/layer/layer.js';
import { Router } from '../../src/routing/router.js';
import type { Match, Next, RequestHandle, RoutedRequest, RoutedResponse } from '../../src/routing/shapes.js';

const COUNT = 40;

type Seen = { seen: string[] };

function noting(name: string): RequestHandle {
  return (req, _res, next) => {
    (req as unknown as Seen).seen.push(name);
    next();
  };
}

/** A router with enough routes for a shortlist. It notes the handlers that a request reaches. */
function manyRoutes(): Router {
  const router = Router();
  for (let i = 0; i < COUNT; i++) (router.route(`/route/${i}`) as unknown as Verbs).get(noting(`route ${i}`));
  return router;
}

interface Verbs {
  get(...handles: RequestHandle[]): unknown;
}

async function handlersFor(router: Router, url: string, method = 'GET'): Promise<string[]> {
  const req = { method, url, seen: [] } as RoutedRequest & Seen;
  await new Promise((resolve) => router.handle(req, {} as RoutedResponse, resolve));
  return req.seen;
}

test('of many routes the matching ones run in the order they were added', async () => {
  const router = manyRoutes();
  router.use('/route', noting('use /route'));
  (router.route('/:a/:b') as unknown as Verbs).get(noting('params'));
  (router.route(/7$/) as unknown as Verbs).get(noting('regexp'));
  (router.route('/ROUTE/7/') as unknown as Verbs).get(noting('again'));
  assert.deepEqual(await handlersFor(router, '/route/7'), ['route 7', 'use /route', 'params', 'regexp', 'again']);
  assert.deepEqual(await handlersFor(router, '/Route/7/?q'), ['route 7', 'use /route', 'params', 'again']);
  assert.deepEqual(await handlersFor(router, '/elsewhere'), []);
});

/** Changes to the stack after a first request, and the handlers that GET /route/7 reaches then. */
const changes: readonly {
  readonly name: string;
  readonly change: (router: Router) => void;
  readonly then: string[];
}[] = [
  {
    name: 'a route is added',
    change: (r) => void (r.route('/route/7') as unknown as Verbs).get(noting('new')),
    then: ['route 7', 'new'],
  },
  {
    name: 'a layer is put in the place of another',
    change: (r) => (r.stack[3] = new Layer('/route/7', {}, noting('put'))),
    then: ['put', 'route 7'],
  },
  {
    name: 'the last layer is moved to the front',
    change: (r) => r.stack.unshift(r.stack.pop() as Layer),
    then: ['route 7'],
  },
  { name: 'a layer is taken out', change: (r) => void r.stack.splice(7, 1), then: [] },
  { name: 'a layer is deleted, which leaves a hole', change: (r) => void Reflect.deleteProperty(r.stack, 7), then: [] },
  { name: 'the stack is emptied', change: (r) => (r.stack.length = 0), then: [] },
  {
    name: 'the stack is turned round',
    change: (r) => {
      r.stack.push(new Layer('/route', { end: false }, noting('under')));
      r.stack.reverse();
    },
    then: ['under', 'route 7'],
  },
  { name: 'the stack is replaced', change: (r) => (r.stack = r.stack.filter((_, i) => i !== 7)), then: [] },
  {
    name: 'a replaced stack is written to',
    change: (r) => {
      r.stack = [...r.stack];
      r.stack[0] = new Layer('/route/7', {}, noting('written'));
    },
    then: ['written', 'route 7'],
  },
  {
    name: 'the matchers of a layer are replaced',
    change: (r) => (r.stack[0].matchers = [() => ({ params: {}, path: '' })]),
    then: ['route 0', 'route 7'],
  },
  {
    name: 'a layer gets its own match',
    change: (r) => {
      const [layer] = r.stack;
      layer.match = () => ({ params: {}, path: '', keys: [], pattern: '' });
      r.stack[0] = layer;
    },
    then: ['route 0', 'route 7'],
  },
  {
    name: 'a layer is put in whose class has its own match',
    change: (r) => {
      class Own extends Layer {
        override match(): Match {
          return { params: {}, path: '', keys: [], pattern: '' };
        }
      }
      r.stack.unshift(new Own('/none', {}, noting('own')));
    },
    then: ['own', 'route 7'],
  },
];

for (const { name, change, then } of changes) {
  test(`the next request sees it when ${name}`, async () => {
    const router = manyRoutes();
    assert.deepEqual(await handlersFor(router, '/route/7'), ['route 7']);
    change(router);
    assert.deepEqual(await handlersFor(router, '/route/7'), then);
    assert.deepEqual(await handlersFor(router, '/route/7'), then);
  });
}

test('a walk under way sees a layer that a handler adds later in the stack, in place of one that could not match', async () => {
  const router = manyRoutes();
  router.stack[5] = new Layer('/', { end: false }, (req: RoutedRequest, res: RoutedResponse, next: Next) => {
    router.stack[20] = new Layer('/route/7', {}, noting('put'));
    noting('putting')(req, res, next);
  });
  assert.deepEqual(await handlersFor(router, '/route/7'), ['putting', 'route 7', 'put']);
});

test('a url rewritten by a handler is looked up again from there on', async () => {
  const router = manyRoutes();
  router.stack[10] = new Layer('/', { end: false }, (req: RoutedRequest, _res: RoutedResponse, next: Next) => {
    req.url = '/route/30';
    next();
  });
  router.stack[31] = new Layer('/route/9', {}, noting('too late'));
  assert.deepEqual(await handlersFor(router, '/route/9'), ['route 9', 'route 30']);
});

test('a patched Layer.prototype.match is called for every layer', async () => {
  const router = manyRoutes();
  const { match } = Layer.prototype;
  let asked = 0;
  Layer.prototype.match = function (path) {
    asked++;
    return match.call(this, path);
  };
  try {
    assert.deepEqual(await handlersFor(router, '/route/7'), ['route 7']);
  } finally {
    Layer.prototype.match = match;
  }
  assert.equal(asked, COUNT);
});

test('the stack is an array for all programs', () => {
  const { stack } = manyRoutes();
  assert.ok(Array.isArray(stack));
  assert.equal(Object.getPrototypeOf(stack), Array.prototype);
  assert.equal(stack.length, COUNT);
  assert.equal([...stack].length, COUNT);
  assert.equal(stack.map((layer) => layer.name).length, COUNT);
});
