import assert = require('node:assert/strict');
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { lazy, lazyPart, loadAhead, loadAll, onFirstUse } from '../../src/core/lazy.js';

delete process.env['JEST_WORKER_ID'];
delete process.env['NODE_ENV'];

test('a value is made on first use, once; a load that throws is tried again', () => {
  let calls = 0;
  const value = onFirstUse(() => {
    if (++calls === 1) throw new Error('not yet');
    return calls;
  });
  assert.throws(value, { message: 'not yet' });
  assert.deepEqual([value(), value(), calls], [2, 2, 2]);
});

test('packages are loaded in the background, those of a part if it is used', async () => {
  let attempts = 0;
  const small = lazy(() => void attempts++);
  const seen = { last: false };
  lazy(() => (seen.last = true));
  let isLoaded = false;
  lazyPart('files', () => (isLoaded = true));
  lazyPart('bodies', () => {
    attempts++;
    throw new Error('not installed');
  });
  // As a program that makes a parser for each request.
  for (let i = 0; i < 1000; i++) loadAhead('bodies');
  assert.equal(attempts, 0);
  for (let i = 0; i < 1000 && !seen.last; i++) await wait(10);
  // The one that was asked for 1000 times comes behind it; that it is tried once shows a while later.
  await wait(100);
  assert.deepEqual([attempts, isLoaded], [2, false]);
  small();
  loadAll();
  assert.deepEqual([attempts, isLoaded], [2, true]);
});

test('in tests, everything is loaded at once', () => {
  const loaded: string[] = [];
  lazy(() => loaded.push('every request'));
  lazyPart('bodies', () => loaded.push('bodies'));
  process.env['NODE_ENV'] = 'test';
  loadAhead();
  assert.deepEqual(loaded, ['every request', 'bodies']);
});
