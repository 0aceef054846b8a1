import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AnswerReader } from '../support/raw-answer.js';
import { differences, linesOf, maskTimes, type Moment } from './transcript.js';

const DAY_MS = 24 * 60 * 60_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toUTCString();

function moment(bytes: string): Moment {
  const [answer] = new AnswerReader().push(Buffer.from(bytes, 'latin1'));
  return { name: 'a page', lines: linesOf(answer) };
}

const answer = 'HTTP/1.1 200 OK\r\nA: 1\r\nB: 2\r\nContent-Length: 5\r\n\r\nhello';

const changes: readonly (readonly [what: string, changed: string, report: RegExp])[] = [
  ['another status', answer.replace('200', '201'), /line 1[\s\S]*"HTTP\/1\.1 201 OK"/],
  ['another status text', answer.replace('OK', 'Fine'), /line 1/],
  ['another field name', answer.replace('A: 1', 'a: 1'), /line 2[\s\S]*"a: 1"/],
  ['another field value', answer.replace('B: 2', 'B: 3'), /line 3/],
  ['fields in another order', answer.replace('A: 1\r\nB: 2', 'B: 2\r\nA: 1'), /line 2/],
  ['a field more', answer.replace('A: 1', 'A: 1\r\nC: 3'), /line 3[\s\S]*"C: 3"/],
  ['a field less', answer.replace('A: 1\r\n', ''), /line 2/],
  ['another body', answer.replace('hello', 'hallo'), /expected: "hello"\n {2}got: {6}"hallo"/],
  ['another length', answer.replace('5\r\n\r\nhello', '6\r\n\r\nhello\n'), /line 4/],
  [
    'another framing',
    answer.replace('Content-Length: 5\r\n\r\nhello', 'Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n'),
    /line 4/,
  ],
  ['bytes that are no text', answer.replace('hello', 'he\x80lo'), /line 7/],
];

describe('a transcript', () => {
  it('finds nothing in two equal answers', () => {
    assert.deepEqual(differences([moment(answer)], [moment(answer)]), []);
  });

  for (const [what, changed, report] of changes) {
    it(`shows ${what}`, () => {
      const [difference, ...more] = differences([moment(answer)], [moment(changed)]);
      assert.match(difference, report);
      assert.match(difference, /^a page, /);
      assert.deepEqual(more, []);
    });
  }

  it('shows a moment that is missing or extra', () => {
    const other = { name: 'another page', lines: [] };
    assert.match(differences([moment(answer), other], [moment(answer)])[0], /moment 1: expected "another page"/);
    assert.match(differences([], [other])[0], /moment 0: .*got "another page"/);
  });

  it('masks a Date that is now, and no other', () => {
    assert.equal(maskTimes(`Date: ${inDays(0)}`), 'Date: <now>');
    for (const wrong of [inDays(-1), new Date().toISOString(), 'now'])
      assert.equal(maskTimes(`Date: ${wrong}`), `Date: ${wrong}`);
    assert.equal(maskTimes(`date: ${inDays(0)}`), `date: ${inDays(0)}`);
  });

  it('masks the expiry of a cookie by its distance from now', () => {
    const cookie = (expires: string): string => `Set-Cookie: a=b; Path=/; Expires=${expires}; HttpOnly`;
    assert.equal(maskTimes(cookie(inDays(7))), cookie('<in a week>'));
    assert.equal(maskTimes(cookie(inDays(365))), cookie('<in a year>'));
    for (const other of [inDays(8), new Date(0).toUTCString()]) assert.equal(maskTimes(cookie(other)), cookie(other));
  });
});
