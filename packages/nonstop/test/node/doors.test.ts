import assert = require('node:assert/strict');
import http = require('node:http');
import { test } from 'node:test';
import { incomingPrototype, outgoingPrototype, putDoors } from '../../src/node/doors.js';
import { kOutHeaders } from '../../src/node/message-state.js';

type Loose = Record<PropertyKey, unknown>;

test("node's constructors assign every name that gets a door", () => {
  const request = new http.IncomingMessage(undefined as never);
  for (const name of ['_readableState', 'rawHeaders', 'rawTrailers']) assert.ok(Object.hasOwn(request, name), name);
  const response = new http.ServerResponse(request);
  for (const name of ['outputData', kOutHeaders!]) assert.ok(Object.hasOwn(response, name), String(name));
  assert.equal(incomingPrototype, http.IncomingMessage.prototype);
  assert.equal(outgoingPrototype, http.OutgoingMessage.prototype);
});

test('a lazy property is made on first use, and other objects keep theirs', () => {
  const prototype = {} as Loose;
  const owned = new Set<object>();
  const opened: string[] = [];
  putDoors<Loose>(prototype, (holder) => (owned.has(holder) ? holder : null), [
    {
      name: 'state',
      open: (message) => {
        opened.push('open');
        Object.defineProperty(message, 'state', {
          value: 'made',
          writable: true,
          enumerable: true,
          configurable: true,
        });
      },
    },
  ]);
  const ours = Object.create(prototype) as Loose;
  owned.add(ours);
  assert.equal(ours['state'], 'made');
  assert.equal(ours['state'], 'made');
  assert.deepEqual(opened, ['open']);

  const assigned = Object.create(prototype) as Loose;
  owned.add(assigned);
  assigned['state'] = 'assigned';
  assert.equal(assigned['state'], 'assigned');
  assert.deepEqual(opened, ['open', 'open'], 'made before the assignment');

  const nodes = Object.create(prototype) as Loose;
  assert.equal(nodes['state'], undefined);
  nodes['state'] = 'assigned';
  assert.deepEqual(Object.getOwnPropertyDescriptor(nodes, 'state'), {
    value: 'assigned',
    writable: true,
    enumerable: true,
    configurable: true,
  });
  assert.deepEqual(opened, ['open', 'open']);
});

test('the property of a message of another copy is made by that copy', () => {
  const prototype = {} as Loose;
  const made: Loose = {};
  for (const copy of ['first', 'second']) {
    made[copy] = Object.create(prototype);
    putDoors<Loose>(prototype, (holder) => (holder === made[copy] ? holder : null), [
      { name: 'state', open: (message) => Object.defineProperty(message, 'state', { value: copy }) },
    ]);
  }
  assert.deepEqual(
    Object.values(made).map((message) => (message as Loose)['state']),
    ['first', 'second'],
  );
});
