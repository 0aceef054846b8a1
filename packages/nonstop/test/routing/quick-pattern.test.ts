import assert = require('node:assert/strict');
import { test } from 'node:test';
import { compileMatcher } from '../../src/routing/layer/matchers.js';
import { QuickPattern, type PatternOptions, PATHS_OF_5 } from '../../src/routing/layer/quick-pattern.js';
import { seeded } from '../support/seeded.js';

const SEGMENTS = ['a', 'B', 'az@', 'users', ':id', ':name', ':$_1', 'x.json', 'a-b_c~', '%20', '', 'a b', '^$|', "'"];
const PATH_SEGMENTS = [
  'a',
  'A',
  'b',
  'users',
  'USERS',
  // The first and last letters, and their neighbours in ASCII.
  'az@',
  'AZ@',
  'AZ`',
  '7',
  'x.json',
  'xxjson',
  'a-b_c~',
  '%20',
  '%zz',
  '',
  'é',
  'K',
  'ſ',
  'a b',
  '^$|',
  "'",
  '\n',
];

type Outcome = { readonly path: string; readonly params: object; readonly bare: boolean } | false | string;

function outcome(match: () => { path: string; params: object } | false): Outcome {
  try {
    const bound = match();
    if (bound === false) return false;
    return { path: bound.path, params: { ...bound.params }, bare: Object.getPrototypeOf(bound.params) === null };
  } catch (error) {
    return (error as Error).message;
  }
}

function quickMatch(pattern: QuickPattern, path: string): { path: string; params: object } | false {
  const extent = pattern.extent(path);
  return extent === -1 ? false : { path: path.substring(0, extent), params: pattern.values(path, Object.create(null)) };
}

test('patterns of plain segments and whole-segment params match as path-to-regexp matches them', () => {
  const random = seeded(8);
  let matched = 0;
  for (let i = 0; i < 20_000; i++) {
    const segments = Array.from({ length: random.below(4) }, () => random.pick(SEGMENTS));
    const pattern = (random.chance(0.95) ? '/' : '') + segments.join('/');
    const options: PatternOptions = {
      sensitive: random.chance(0.5),
      end: random.chance(0.5),
      trailing: random.chance(0.5),
    };
    const given = options.trailing && pattern !== '/' ? pattern.replace(/\/+$/, '') : pattern;
    const quick = QuickPattern.compile(given, options, PATHS_OF_5);
    assert.ok(quick, given);
    const oracle = compileMatcher(pattern, options);
    for (let j = 0; j < 4; j++) {
      const near = segments.map((segment) =>
        random.chance(0.3) || segment.startsWith(':')
          ? random.pick(PATH_SEGMENTS)
          : random.chance(0.5)
            ? segment
            : segment.toUpperCase(),
      );
      const path = `/${near.join('/')}${random.pick(['', '', '/', '//', '/more'])}`;
      const expected = outcome(() => oracle(path));
      if (expected !== false) matched++;
      assert.deepEqual(
        outcome(() => quickMatch(quick, path)),
        expected,
        `${pattern} ${JSON.stringify(options)} ${path}`,
      );
    }
  }
  assert.ok(matched > 5_000, `only ${matched} paths matched`);
});

const left = [
  '/*rest',
  '/a{/:b}',
  '/:a-:b',
  '/:a.json',
  '/a:b',
  '/:"quoted"',
  '/a\\:b',
  '/(a)',
  '/a+',
  '/a?',
  '/a!',
  '/[a]',
  '/é',
  '/:ü',
];

for (const path of left) {
  test(`${path} is left to path-to-regexp`, () => {
    assert.equal(QuickPattern.compile(path, { sensitive: false, end: true, trailing: true }, PATHS_OF_5), undefined);
  });
}

test('a param named twice has the last value, as in path-to-regexp', () => {
  const options = { sensitive: false, end: true, trailing: true };
  const quick = QuickPattern.compile('/:a/:a', options, PATHS_OF_5);
  assert.deepEqual(quick?.keys, ['a']);
  assert.deepEqual(
    outcome(() => quickMatch(quick, '/1/2')),
    outcome(() => compileMatcher('/:a/:a', options)('/1/2')),
  );
});
