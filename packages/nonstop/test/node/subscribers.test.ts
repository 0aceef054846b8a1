import assert = require('node:assert/strict');
import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel';
import { test } from 'node:test';
import { needsStore, withoutStore } from '../../src/node/subscribers.js';

test('a channel needs a store for subscribers that did not say that they need none', () => {
  const one = channel('nonstop.test');
  assert.equal(needsStore(one), false);
  const unneeding = withoutStore(() => undefined);
  subscribe('nonstop.test', unneeding);
  assert.equal(needsStore(one), false);
  const any = (): void => undefined;
  subscribe('nonstop.test', any);
  assert.equal(needsStore(one), true);
  unsubscribe('nonstop.test', any);
  assert.equal(needsStore(one), false);
  unsubscribe('nonstop.test', unneeding);
});

test('where a Node keeps its list elsewhere, each subscriber counts', () => {
  const one = channel('nonstop.test');
  const unneeding = withoutStore(() => undefined);
  subscribe('nonstop.test', unneeding);
  const elsewhere = Object.create(one, { _subscribers: { value: undefined } }) as typeof one;
  assert.equal(needsStore(elsewhere), true);
  unsubscribe('nonstop.test', unneeding);
});
