import assert = require('node:assert/strict');
import { test } from 'node:test';
import { pathnameOf, queryOf } from '../../src/routing/pathname.js';

const parseUrl = require('parseurl') as (req: { url: string }) => { pathname: string | null; query: string | null };

/** What `parseurl` reads, or that it throws. */
function outcome(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return (error as Error).name;
  }
}

/** All characters of one octet, and those that JavaScript counts as white space. */
const CHARACTERS = [
  ...Array.from({ length: 0x100 }, (_, code) => String.fromCharCode(code)),
  ...'\u1680\u2000\u2028\u2029\u202f\u205f\u3000\ufeff',
];

const LONG = 'a'.repeat(100);

const PLACES: readonly ((character: string) => string)[] = [
  (c) => c,
  (c) => `${c}a`,
  (c) => `/${c}`,
  (c) => `/a${c}b`,
  (c) => `/a?b${c}`,
  (c) => `/a${c}?b=c`,
  (c) => `/a?b?${c}d`,
  (c) => `/${LONG}${c}b?c`,
  (c) => `/${LONG}?b${c}?c`,
];

test('the path and the query of a url are what parseurl reads, for each character at each place', () => {
  for (const character of CHARACTERS) {
    for (const place of PLACES) {
      const url = place(character);
      assert.deepEqual(
        [outcome(() => pathnameOf({ url })), outcome(() => queryOf({ url }))],
        [outcome(() => parseUrl({ url }).pathname), outcome(() => parseUrl({ url }).query)],
        JSON.stringify(url),
      );
    }
  }
});
