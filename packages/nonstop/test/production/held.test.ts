import assert from 'node:assert/strict';
import type http from 'node:http';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { Held } from '../../src/production/held.js';

interface Closing {
  shouldKeepAlive: boolean;
  headersSent: boolean;
}

const response = (headersSent = false): Closing & http.ServerResponse =>
  ({ shouldKeepAlive: true, headersSent }) as Closing & http.ServerResponse;
const request = {} as http.IncomingMessage;
const make = (): Held => new Held({ bytesRead: 0 } as Socket);

test('of pipelined requests only the last answer closes the connection: those after it would be lost', () => {
  const held = make();
  const [first, second] = [response(), response()];
  held.add(request, first, 0);
  held.closeAfter();
  assert.equal(first.shouldKeepAlive, false);
  held.closeAfter(second);
  held.add(request, second, 0);
  assert.deepEqual([first.shouldKeepAlive, second.shouldKeepAlive], [true, false]);
});

test('an answer whose head is sent says no longer whether its connection closes', () => {
  const held = make();
  const sent = response(true);
  held.add(request, sent, 0);
  held.closeAfter();
  assert.equal(sent.shouldKeepAlive, true);
});

test('a connection is idle when its answers are sent, and nothing of a next request has come', () => {
  const socket = { bytesRead: 10 };
  const held = new Held(socket as Socket);
  assert.equal(held.isIdle, false, 'octets have come');
  const [first, second] = [response(), response()];
  held.add(request, first, 1);
  held.add(request, second, 2);
  assert.deepEqual([held.holds(first), held.holds(second), held.inHand().length], [true, true, 2]);
  assert.equal(held.take(second), 2);
  assert.equal(held.take(second), undefined, 'it was taken');
  assert.deepEqual([held.take(first), held.isIdle], [1, true]);
  socket.bytesRead++;
  assert.equal(held.isIdle, false, 'a part of the next request');
});
