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

test('an answer that is not under way takes none of the others away', () => {
  const held = make();
  assert.equal(held.take(response()), undefined);
  const answers = [response(), response(), response()];
  for (const [i, each] of answers.entries()) held.add(request, each, i);
  assert.equal(held.take(response()), undefined);
  assert.deepEqual([held.take(answers[2]), held.take(answers[1]), held.take(answers[0])], [2, 1, 0]);
});

test('when an answer is sent, the pipelined request after it is under way since it came', () => {
  const held = make();
  const [first, second] = [response(), response()];
  const [asked, next] = [{}, {}] as http.IncomingMessage[];
  held.add(asked, first, 1);
  held.add(next, second, 2);
  assert.equal(held.take(first), 1);
  assert.equal(held.current, second);
  const [under, ...more] = held.inHand();
  assert.deepEqual([under.req === next, under.res === second, under.start, more.length], [true, true, 2, 0]);
  held.closeAfter();
  assert.equal(second.shouldKeepAlive, false);
  assert.equal(held.take(second), 2);
  assert.deepEqual([held.current, held.inHand().length], [null, 0]);
});

test('the first answer of a connection closes it', () => {
  const only = response();
  make().closeAfter(only);
  assert.equal(only.shouldKeepAlive, false);
});

/** The time, once it is another than when a connection was made. */
function later({ idleSince }: Held): number {
  let now = performance.now();
  while (now === idleSince) now = performance.now();
  return now;
}

test('a connection is idle since its last answer, or since its tunnel has begun to carry HTTP', () => {
  const served = make();
  served.add(request, response(), 0);
  const answered = later(served);
  served.take(served.current!);
  assert.ok(served.idleSince >= answered);
  const tunnel = new Held({ bytesRead: 10 } as Socket);
  tunnel.upgraded = 'CONNECT';
  assert.equal(tunnel.isIdle, false);
  const begun = later(tunnel);
  tunnel.carryHttp();
  assert.deepEqual([tunnel.upgraded, tunnel.isIdle, tunnel.idleSince >= begun], [undefined, true, true]);
});
