import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { SharedConnections } from '../../src/node/shared-listening.js';
import { Member } from '../../src/production/member.js';
import { followWaitingConnections } from '../../src/production/waiting-connections.js';

/** @param hold milliseconds @returns what the workers are told, and functions that accept a connection and let 20 ms pass */
function follow(t: TestContext, hold: number): { told: number[]; accept(waited: number): void; pass(): void } {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const connections = { waited: undefined } as unknown as SharedConnections;
  const told: number[] = [];
  followWaitingConnections(connections, hold, (waited) => told.push(waited));
  return {
    told,
    accept: (waited) => connections.waited!(performance.now() - waited),
    pass: () => t.mock.timers.tick(20),
  };
}

test('workers are told once how long a connection has waited, and when none waits any more', (t) => {
  const { told, accept, pass } = follow(t, 60_000);
  pass();
  assert.deepEqual(told, [], 'nothing has changed');
  accept(5000);
  pass();
  pass();
  assert.equal(told.length, 1);
  assert.ok(told[0] >= 5000);
  accept(0);
  pass();
  assert.deepEqual(told.slice(1), [0]);
});

test('a wait is forgotten when no other connection has come for a while', (t) => {
  const { told, accept, pass } = follow(t, -1);
  accept(5000);
  pass();
  assert.deepEqual(told, []);
});

test('a worker is told until it has ended, so that one that drains keeps no old value', () => {
  const told: unknown[] = [];
  const worker = { isConnected: () => true, send: (message: unknown) => told.push(message) };
  const member = Object.create(Member.prototype) as Member;
  Object.assign(member, { worker });
  for (const state of ['starting', 'ready', 'draining', 'gone'] as const) {
    member.state = state;
    member.waited(state.length);
  }
  assert.deepEqual(told, [
    { nonstop: 'waited', time: 5 },
    { nonstop: 'waited', time: 8 },
  ]);
});
