import assert = require('node:assert/strict');
import { test } from 'node:test';
import express4 = require('express4');
import { Layer } from '../../../src/routing/v4/layer.js';
import { Router } from '../../../src/routing/v4/router.js';
import { build, play, type RouterMaker } from '../../support/play-router.js';
import { RouterPlanner, SYNTAX_OF_4 } from '../../support/random-router.js';
import { seeded } from '../../support/seeded.js';

const ours: RouterMaker = (options) => Router(options) as never;
const theirs: RouterMaker = (options) => express4.Router(options) as never;

const PROGRAMS = Number(process.env['NONSTOP_TEST_PROGRAMS'] ?? 150);

for (let lot = 0; lot < 4; lot++) {
  test(`random routers call the same handlers with the same state as those of Express 4, lot ${lot}`, async () => {
    for (let seed = lot * PROGRAMS; seed < (lot + 1) * PROGRAMS; seed++) {
      const planner = new RouterPlanner(seeded(seed), SYNTAX_OF_4);
      const plan = planner.router(2);
      const [expected, actual] = [build(plan, theirs), build(plan, ours)];
      for (let i = 0; i < 6; i++) {
        const [method, url] = [planner.method(), planner.target()];
        assert.deepEqual(
          await play(actual, method, url),
          await play(expected, method, url),
          `seed ${seed}: ${method} ${url}`,
        );
      }
    }
  });
}

interface LayerOf4 {
  match(path: string): boolean;
  readonly params: object | undefined;
  readonly path: string | undefined;
  readonly keys: object[];
  readonly regexp: RegExp;
}

// The class of Express's own layers, which it does not export.
const TheirLayer = (express4.Router().route('/') as unknown as { all(fn: () => void): { stack: LayerOf4[] } }).all(
  () => {},
).stack[0].constructor as unknown as new (path: unknown, options: object, handle: () => void) => LayerOf4;

const SEGMENTS = ['a', 'B', 'users', ':id', ':name', ':1', 'x.json', 'a-b_c~', '%20', '', '', 'a b', "'", '!'];
const OTHERS = ['*', ':id?', ':id(\\d+)', ':a-:b', ':a.:b?', '(.*)', 'a+', ':rest*', 'x(y)?', 'é'];
const PATH_SEGMENTS = ['a', 'A', 'b', 'users', '7', 'x.json', 'xxjson', 'a-b_c~', '%20', '', 'a%20b', '%zz', "'", '!'];

function outcome(layer: LayerOf4, path: string): unknown {
  try {
    const matched = layer.match(path);
    return [
      matched,
      layer.params,
      layer.path,
      layer.params && Object.getPrototypeOf(layer.params) === Object.prototype,
    ];
  } catch (error) {
    return [(error as Error).message, (error as { status?: number }).status];
  }
}

test('layers of random paths match, and look, as those of Express 4', () => {
  const random = seeded(4);
  let matched = 0;
  for (let i = 0; i < 8_000; i++) {
    const all = random.chance(0.3) ? [...SEGMENTS, ...OTHERS] : SEGMENTS;
    const segments = Array.from({ length: random.below(4) }, () => random.pick(all));
    const pattern = (random.chance(0.95) ? '/' : '') + segments.join('/');
    const end = random.chance(0.5);
    const options = { sensitive: random.chance(0.5), end, strict: end && random.chance(0.5) };
    const [expected, actual] = [TheirLayer, Layer].map(
      (LayerClass) => new (LayerClass as typeof TheirLayer)(pattern, options, () => {}),
    );
    for (let j = 0; j < 4; j++) {
      const near = segments.map((segment) => (segment.startsWith(':') ? random.pick(PATH_SEGMENTS) : segment));
      if (near.length > 0 && random.chance(0.3)) near[random.below(near.length)] = random.pick(PATH_SEGMENTS);
      const path = `/${near.join('/')}${random.pick(['', '', '/', '//', '/more', '//more'])}`;
      const told = outcome(expected, path);
      if (Array.isArray(told) && told[0] === true) matched++;
      assert.deepEqual(outcome(actual, path), told, `${pattern} ${JSON.stringify(options)} ${path}`);
    }
    assert.deepEqual(Object.keys(actual), Object.keys(expected));
    assert.deepEqual({ ...actual }, { ...expected, handle: (actual as unknown as { handle: unknown }).handle });
    assert.deepEqual({ ...actual.regexp }, { ...expected.regexp }, pattern);
  }
  assert.ok(matched > 3_000, `only ${matched} paths matched`);
});
