import assert from 'node:assert/strict';
import { test } from 'node:test';
import genuine = require('express');
import express4 = require('express4');
import v4 = require('../../../src/entry/v4.js');
import { ours, type Framework } from '../../support/framework.js';

/** The properties of layers that programs read to list routes, in the order of a loop. */
function seenIn({ Router }: Framework): unknown {
  const inner = Router().delete('/x', () => undefined);
  const router = Router()
    .use(function first() {
      return undefined;
    })
    .use('/inner/:id', inner)
    .get('/', () => undefined)
    .get(['/one', '/two/:x'], () => undefined)
    .get(/^\/re\/(\d+)$/, () => undefined);
  router
    .route('/both/:id')
    .get(() => undefined)
    .put(() => undefined);
  return router.stack.map((layer) => {
    const { matchers } = layer as unknown as { matchers: ((path: string) => unknown)[] };
    return {
      names: Object.keys(layer),
      all: Object.getOwnPropertyNames(layer),
      copied: Object.keys({ ...layer }),
      text: JSON.stringify(layer),
      matches: matchers.map((matcher) => [matcher.length, matcher('/both/7'), matcher('/two/1'), matcher('/re/12')]),
      ofRoute: layer.route?.stack.map((own) => Object.getOwnPropertyNames(own)),
    };
  });
}

test("layers have the own properties of Express's, in their order", () => {
  assert.deepEqual(seenIn(ours), seenIn(genuine));
});

/** A layer that the router did not create, such as programs make. */
const STAND_INS: Record<string, (layer: object) => object> = {
  'a copy of a layer': (layer) => Object.assign(Object.create(Object.getPrototypeOf(layer) as object) as object, layer),
  'an object that inherits from a layer': (layer) => Object.create(layer) as object,
  'a Proxy of a layer': (layer) => new Proxy(layer, {}),
  'a layer with data of a program': (layer) => {
    const { route } = layer as { route?: { stack: object[] } };
    for (const each of route === undefined ? [layer] : [layer, route, ...route.stack]) Object.assign(each, DATA);
    return layer;
  },
};

/** Names that programs use for data of their own. */
const DATA = Object.fromEntries(
  (
    'add allowed bindNothing dispatchesPlainly effective find found handles has inside isAnywhere isDirect ' +
    'matchByRegexp parametersOf pattern quick serves'
  )
    .split(' ')
    .map((name) => [name, name]),
);

/** The part of a router that both versions of Express have. */
type Maker = () => Pick<ReturnType<Framework['Router']>, 'use' | 'get' | 'stack'> & ((...args: unknown[]) => void);

function playedWith(make: Maker, standIn: (layer: object) => object): unknown {
  const heard: unknown[] = [];
  const router = make();
  router.use('/in/:a', (req, _res, next) => {
    heard.push(['middleware', req.baseUrl]);
    next();
  });
  router.use((_error: unknown, _req: unknown, _res: unknown, next: () => void) => {
    heard.push('an error handler');
    next();
  });
  router.get('/in/:a/:b', (req) => void heard.push(['handler', { ...req.params }]));
  for (const [i, layer] of router.stack.entries()) router.stack[i] = standIn(layer) as typeof layer;
  router({ method: 'GET', url: '/in/1/2' }, {}, (error?: unknown) => void heard.push(['left', error]));
  return heard;
}

const DIALECTS: Record<string, Record<'theirs' | 'ours', Maker>> = {
  'Express 5': { theirs: genuine.Router as never, ours: ours.Router as never },
  'Express 4': { theirs: express4.Router as never, ours: v4.Router as never },
};

/** The names of a layer's and of a route's methods. */
function methodsIn(make: Maker): unknown {
  const router = make().get('/', () => undefined) as ReturnType<Maker>;
  const [{ route }] = router.stack;
  return [router.stack[0], route].map((each) =>
    Object.getOwnPropertyNames(Object.getPrototypeOf(each)).sort((a, b) => (a < b ? -1 : 1)),
  );
}

for (const [dialect, { theirs, ours: own }] of Object.entries(DIALECTS)) {
  test(`layers and routes have the methods of ${dialect}'s, and no others`, () => {
    assert.deepEqual(methodsIn(own), methodsIn(theirs));
  });
  for (const [name, standIn] of Object.entries(STAND_INS)) {
    test(`${name} of ${dialect} is matched and called as Express's`, () => {
      const expected = playedWith(theirs, standIn);
      assert.deepEqual(expected, [
        ['middleware', '/in/1'],
        ['handler', { a: '1', b: '2' }],
      ]);
      assert.deepEqual(playedWith(own, standIn), expected);
    });
  }
}
