import assert = require('node:assert/strict');
import { AsyncLocalStorage } from 'node:async_hooks';
import fs = require('node:fs');
import { setImmediate as turn } from 'node:timers/promises';
import { test } from 'node:test';
import { shareReads } from '../../src/files/shared-read.js';

type Done = (error: NodeJS.ErrnoException | null, result?: string) => void;

/** Operations that finish when the test says so. */
function byHand(): { begun: Done[]; read: (file: string, size: number, done: Done) => void } {
  const begun: Done[] = [];
  return { begun, read: shareReads<string>((_file, _size, done) => void begun.push(done)) };
}

test('requests that arrive during a read share the next read', () => {
  const { begun, read } = byHand();
  const got: string[] = [];
  const ask = (name: string): void => read('/a', 1, (_, result) => got.push(`${name}: ${result}`));

  ask('first');
  ask('second');
  ask('third');
  assert.equal(begun.length, 1);
  begun[0](null, 'old');
  assert.deepEqual(got, ['first: old']);
  assert.equal(begun.length, 2);

  ask('fourth');
  begun[1](null, 'new');
  assert.deepEqual(got, ['first: old', 'second: new', 'third: new']);
  assert.equal(begun.length, 3);

  begun[2](null, 'newest');
  assert.equal(got.at(-1), 'fourth: newest');
  ask('alone');
  begun[3](null, 'last');
  assert.equal(got.at(-1), 'alone: last');
  assert.equal(begun.length, 4);
});

test('a request that arrives while results are delivered waits for the next read', () => {
  const { begun, read } = byHand();
  const got: unknown[] = [];
  read('/a', 1, () => read('/a', 1, (_, result) => got.push(result)));
  read('/a', 1, () => undefined);
  begun[0](null, 'old');
  begun[1](null, 'middle');
  assert.deepEqual(got, []);
  begun[2](null, 'new');
  assert.deepEqual(got, ['new']);
});

test('other files, and other sizes of one file, are read at once', () => {
  const { begun, read } = byHand();
  const got: string[] = [];
  const others: readonly [string, number][] = [
    ['/a', 1],
    ['/b', 1],
    ['/a', 2],
    // These two requests share a read.
    ['/one/of-the-same-end', 1],
    ['/two/of-the-same-end', 1],
  ];
  for (const [file, size] of others) read(file, size, (_, result) => got.push(String(result)));
  assert.equal(begun.length, others.length);
  for (let i = others.length - 1; i >= 0; i--) begun[i](null, others[i].join());
  assert.deepEqual(got, others.map((one) => one.join()).reverse());
  read('/two/of-the-same-end', 1, (_, result) => got.push(String(result)));
  begun[others.length](null, 'again');
  assert.equal(got.at(-1), 'again');
});

test('an error belongs to one reading: the others read by themselves', () => {
  const { begun, read } = byHand();
  const got: unknown[] = [];
  for (let i = 0; i < 3; i++) read('/a', 1, (error, result) => got.push(error ?? result));
  const [one, two, three] = [new Error('one'), new Error('two'), new Error('three')];
  begun[0](one);
  begun[1](two);
  assert.deepEqual(got, [one]);
  assert.equal(begun.length, 4);
  begun[2](three);
  begun[3](null, 'there');
  assert.deepEqual(got, [one, three, 'there']);
});

test('each callback runs in its own async context', () => {
  const { begun, read } = byHand();
  const store = new AsyncLocalStorage<number>();
  const got: unknown[] = [];
  const note: Done = (error) => got.push([store.getStore(), error?.message]);
  for (let i = 0; i < 3; i++) store.run(i, () => read('/a', 1, note));
  store.run(9, () => begun[0](null, ''));
  store.run(8, () => begun[1](null, ''));
  assert.deepEqual(got.slice(1), [
    [1, undefined],
    [2, undefined],
  ]);
});

test('those that wait read by themselves, each in its own async context, if a function of fs is replaced meanwhile', (t) => {
  const store = new AsyncLocalStorage<number>();
  const begun: Done[] = [];
  const contexts: unknown[] = [];
  const read = shareReads<string>((_file, _size, done) => {
    contexts.push(store.getStore());
    begun.push(done);
  });
  const got: unknown[] = [];
  for (let i = 0; i < 3; i++) store.run(i, () => read('/a', 1, (_, result) => got.push(result)));
  const { open } = fs;
  t.after(() => Object.assign(fs, { open }));
  Object.assign(fs, { open: (...args: Parameters<typeof open>) => open(...args) });
  store.run(9, () => begun[0](null, 'first'));
  assert.equal(begun.length, 3);
  begun[2](null, 'third');
  begun[1](null, 'second');
  assert.deepEqual(got, ['first', 'third', 'second']);
  assert.deepEqual(contexts, [0, 1, 2]);
});

test('a callback that throws does not affect the following ones', async () => {
  const { begun, read } = byHand();
  const got: string[] = [];
  read('/a', 1, () => got.push('first'));
  read('/a', 1, () => {
    throw new Error('second');
  });
  read('/a', 1, () => got.push('third'));
  begun[0](null, '');
  assert.throws(() => begun[1](null, ''), { message: 'second' });
  assert.deepEqual(got, ['first']);
  await turn();
  assert.deepEqual(got, ['first', 'third']);
});

test('a read that cannot be started leaves no waiters', () => {
  let refuses = true;
  const read = shareReads<string>((_file, _size, done) => {
    if (refuses) throw new TypeError('no such path');
    done(null, 'at once');
  });
  const got: unknown[] = [];
  assert.throws(() => read('/a', 1, () => got.push('never')), TypeError);
  refuses = false;
  for (let i = 0; i < 2; i++) read('/a', 1, (_, result) => got.push(result));
  assert.deepEqual(got, ['at once', 'at once']);
});

test('an error of closing the file is reported after the result, to each caller as a separate copy', () => {
  const { begun, read } = byHand();
  const got: unknown[] = [];
  for (let i = 0; i < 3; i++) read('/a', 1, (error, result) => got.push(error ?? result));
  begun[0](null, 'one');
  begun[0](new Error('closing one'));
  assert.equal(begun.length, 2);
  begun[1](null, 'others');
  const closing = Object.assign(new Error('closing others'), { code: 'EIO' });
  begun[1](closing);
  assert.equal(begun.length, 2);
  assert.deepEqual(got, ['one', new Error('closing one'), 'others', 'others', closing, closing]);
  assert.equal(new Set([closing, ...got.slice(4)]).size, 3);
});
