import assert = require('node:assert/strict');
import { describe, test } from 'node:test';
import type { Answer } from '../src/ask.js';
import type { Expected, Scenario } from '../src/scenario.js';
import { blank, differences, essentialDifferences, expectationFrom } from '../src/verify.js';

const right: Answer = {
  status: 200,
  reason: 'OK',
  fields: [
    ['Content-Type', 'text/plain'],
    ['Date', 'Sat, 21 Nov 2026 00:00:00 GMT'],
    ['Content-Length', '5'],
  ],
  body: 'hello',
};
const expected: Expected = {
  ...right,
  fields: [
    ['Content-Type', 'text/plain'],
    ['Date', null],
    ['Content-Length', '5'],
  ],
};

describe('an answer is verified', () => {
  test('the right one has no differences', () => assert.deepEqual(differences(right, expected), []));

  test('any value is accepted if the scenario says so', () => {
    const fields = right.fields.map(([name, value]) => [name, name === 'Date' ? 'tomorrow' : value] as const);
    assert.deepEqual(differences({ ...right, fields }, expected), []);
  });

  const [type, date, length] = right.fields;
  const wrong: readonly (readonly [what: string, change: Partial<Answer>, first: string])[] = [
    ['another status', { status: 404 }, 'status: expected 200, got 404'],
    ['another reason', { reason: 'Fine' }, 'reason: expected "OK", got "Fine"'],
    [
      'another value',
      { fields: [['Content-Type', 'text/html'], date, length] },
      'field Content-Type: expected "text/plain", got "text/html"',
    ],
    [
      'a name in other letters',
      { fields: [['content-type', 'text/plain'], date, length] },
      'field Content-Type is missing: expected "text/plain"',
    ],
    [
      'another order',
      { fields: [date, type, length] },
      'order of fields: expected Content-Type, Date, Content-Length; got Date, Content-Type, Content-Length',
    ],
    ['a field too few', { fields: [type, date] }, 'field Content-Length is missing: expected "5"'],
    ['a field too many', { fields: [...right.fields, ['ETag', '"x"']] }, 'field ETag is not expected: got "\\"x\\""'],
    ['another body', { body: 'hellO' }, 'body (5 characters, expected 5) from character 4:'],
    ['a body cut short', { body: 'hel' }, 'body (3 characters, expected 5) from character 3:'],
    ['a body with more', { body: 'hello!' }, 'body (6 characters, expected 5) from character 5:'],
  ];
  for (const [what, change, first] of wrong) {
    test(`${what} is a difference`, () => assert.equal(differences({ ...right, ...change }, expected)[0], first));
  }

  test('a missing field in front does not make the others wrong', () =>
    assert.deepEqual(differences({ ...right, fields: [date, length] }, expected), [
      'field Content-Type is missing: expected "text/plain"',
    ]));
});

describe("an answer with a framework's own fields is verified", () => {
  const own = (change: Partial<Answer> = {}): Answer => ({
    ...right,
    fields: [
      ['server', 'other'],
      ['content-type', 'text/plain; charset=UTF-8'],
    ],
    ...change,
  });

  test('by status, media type and body', () => assert.deepEqual(essentialDifferences(own(), expected), []));

  const wrong: readonly (readonly [what: string, change: Partial<Answer>])[] = [
    ['another status', { status: 404 }],
    ['another media type', { fields: [['content-type', 'text/html']] }],
    ['no media type', { fields: [] }],
    ['another body', { body: 'hellO' }],
  ];
  for (const [what, change] of wrong) {
    test(`${what} is a difference`, () => assert.notDeepEqual(essentialDifferences(own(change), expected), []));
  }
});

describe('without an expected answer', () => {
  const scenario: Scenario = {
    name: 'page',
    title: 'a page',
    request: { method: 'GET', path: '/' },
    volatile: [{ pattern: 'token-\\w+', reason: 'made for each process' }],
    peers: {},
  };
  const page = (token: string, more = ''): Answer => ({ ...right, body: `<p>token-${token}${more}</p>` });
  const fromFirst = expectationFrom(page('abc'), scenario);

  test('the first one is the expected answer, except for volatile parts', () => {
    assert.deepEqual(differences(blank(page('xyz'), scenario), fromFirst), []);
  });

  test('a real difference is found beside a volatile one', () => {
    assert.notDeepEqual(differences(blank(page('xyz', '!'), scenario), fromFirst), []);
  });
});

test("the expected answer leaves the date's value open, in either spelling", () => {
  for (const name of ['Date', 'date']) {
    const answer: Answer = { status: 200, reason: 'OK', fields: [[name, 'today']], body: '' };
    assert.deepEqual(expectationFrom(answer, {} as Scenario).fields, [[name, null]]);
  }
});
