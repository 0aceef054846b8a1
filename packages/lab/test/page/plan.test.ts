import assert = require('node:assert/strict');
import { describe, test } from 'node:test';
import type { Choice } from '../../client/src/logic/contract.js';
import { outlook, plan, problemsOf, timedRequests } from '../../client/src/logic/plan.js';

const choice: Choice = {
  contestants: ['a', 'b'],
  shapes: ['string', 'array'],
  verbs: ['POST', 'GET', 'PUT', 'DELETE'],
  repetitions: 2,
  warmup: 1,
};

const short = (part: Partial<Choice>): string[] =>
  plan({ ...choice, ...part }).map(({ repetition, shape, verb, contestant }) =>
    [repetition, shape, verb, contestant].join(' '),
  );

describe('the plan of a run', () => {
  test('goes through shapes, verbs and contestants in each repetition', () => {
    assert.deepEqual(short({ verbs: ['POST', 'GET'], repetitions: 2, warmup: 0 }), [
      '0 string POST a',
      '0 string POST b',
      '0 string GET a',
      '0 string GET b',
      '0 array POST a',
      '0 array POST b',
      '0 array GET a',
      '0 array GET b',
      '1 string POST b',
      '1 string POST a',
      '1 string GET b',
      '1 string GET a',
      '1 array POST b',
      '1 array POST a',
      '1 array GET b',
      '1 array GET a',
    ]);
  });

  test('begins with the warm-up, below zero, and counts from zero', () => {
    assert.deepEqual(short({ contestants: ['a'], shapes: ['string'], verbs: ['GET'], repetitions: 2, warmup: 2 }), [
      '-2 string GET a',
      '-1 string GET a',
      '0 string GET a',
      '1 string GET a',
    ]);
  });

  test('has the verbs in the order of a record’s life, in any order of choice', () => {
    const verbs = plan({ ...choice, verbs: ['DELETE', 'PUT', 'POST'], contestants: ['a'], shapes: ['string'] });
    assert.deepEqual(
      verbs.slice(0, 3).map(({ verb }) => verb),
      ['POST', 'PUT', 'DELETE'],
    );
  });

  test('has as many timed requests as were announced', () => {
    assert.equal(plan(choice).filter(({ repetition }) => repetition >= 0).length, timedRequests(choice));
    assert.equal(timedRequests(choice), 32);
  });
});

describe('the problems of a choice', () => {
  const cases: readonly (readonly [part: Partial<Choice>, problems: Partial<Record<keyof Choice, string>>])[] = [
    [{}, {}],
    [{ repetitions: 1, warmup: 0 }, {}],
    [{ repetitions: 1000, warmup: 100 }, {}],
    [{ contestants: [] }, { contestants: 'Choose at least one contestant.' }],
    [
      { shapes: [], verbs: [] },
      { shapes: 'Choose at least one record shape.', verbs: 'Choose at least one verb.' },
    ],
    [{ repetitions: 0 }, { repetitions: 'Repetitions: a whole number from 1 to 1,000.' }],
    [{ repetitions: 1001 }, { repetitions: 'Repetitions: a whole number from 1 to 1,000.' }],
    [{ repetitions: 2.5 }, { repetitions: 'Repetitions: a whole number from 1 to 1,000.' }],
    [{ repetitions: Number.NaN }, { repetitions: 'Repetitions: a whole number from 1 to 1,000.' }],
    [{ warmup: -1 }, { warmup: 'Warm-up rounds: a whole number from 0 to 100.' }],
  ];
  for (const [part, problems] of cases) {
    test(`${JSON.stringify(part)}: ${Object.keys(problems).join(', ') || 'nothing'}`, () =>
      assert.deepEqual(problemsOf({ ...choice, ...part }), problems));
  }
});

test('beside the button is what will be timed, or what is missing', () => {
  assert.equal(outlook(choice), '32 requests will be timed');
  assert.equal(outlook({ ...choice, contestants: [] }), 'Nothing can be timed yet. Choose at least one contestant.');
  assert.equal(
    outlook({ ...choice, verbs: [], repetitions: Number.NaN }),
    'Nothing can be timed yet. Choose at least one verb. Repetitions: a whole number from 1 to 1,000.',
  );
});
