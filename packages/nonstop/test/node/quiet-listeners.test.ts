import assert = require('node:assert/strict');
import { EventEmitter, once } from 'node:events';
import http2 = require('node:http2');
import { test } from 'node:test';
import { isFirstListener, listenQuietly, putListener } from '../../src/node/quiet-listeners.js';
import { openSession } from '../support/http2-client.js';

/** An emitter with one listener of its own for `'newListener'`, and the names with which that was called. */
function emitter(): { of: EventEmitter; told: (string | symbol)[] } {
  const of = new EventEmitter();
  const told: (string | symbol)[] = [];
  of.on('newListener', (event: string | symbol) => told.push(event));
  return { of, told };
}

test('the first listener for an event is added without an event, and can be removed as any other', () => {
  const { of, told } = emitter();
  const heard: unknown[] = [];
  const listener = (value: unknown): void => void heard.push(value);
  listenQuietly(of, 'data', listener);
  assert.deepEqual([told, of.listeners('data'), of.eventNames()], [[], [listener], ['newListener', 'data']]);
  of.emit('data', 1);
  of.off('data', listener);
  of.emit('data', 2);
  assert.deepEqual([heard, of.eventNames()], [[1], ['newListener']]);
});

test('a second listener for an event is added as any other', () => {
  const { of, told } = emitter();
  const [first, second] = [(): void => {}, (): void => {}];
  of.on('data', first);
  listenQuietly(of, 'data', second);
  assert.deepEqual(
    [told, of.listeners('data')],
    [
      ['data', 'data'],
      [first, second],
    ],
  );
});

test('a listener for newListener is called', () => {
  const { of, told } = emitter();
  const other: (string | symbol)[] = [];
  of.on('newListener', (event: string | symbol) => other.push(event));
  listenQuietly(of, 'data', () => {});
  assert.deepEqual([told, other], [['newListener', 'data'], ['data']]);
});

test('an emitter without a listener of its own gets the listener, too', () => {
  const of = new EventEmitter();
  const listener = (): void => {};
  listenQuietly(of, 'data', listener);
  assert.deepEqual([of.listeners('data'), of.eventNames()], [[listener], ['data']]);
});

test('a stream of node:http2 is such an emitter', async () => {
  const server = http2.createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const session = await openSession(server);
  const client = session.request({ ':path': '/' });
  const [stream] = (await once(server, 'stream')) as [http2.ServerHttp2Stream];
  stream.on = (): never => assert.fail('added as any other');
  const closed = new Promise<void>((resolve) => listenQuietly(stream, 'close', resolve));
  delete (stream as Partial<http2.ServerHttp2Stream>).on;
  stream.respond({ ':status': 204 }, { endStream: true });
  client.resume();
  await closed;
  session.close();
  server.close();
});

test('a listener is replaced at its place, without an event', () => {
  for (const others of [[], [(): void => {}, (): void => {}]]) {
    const { of, told } = emitter();
    const [from, to] = [(): void => {}, (): void => {}];
    const [before, after] = others;
    for (const each of [before, from, after]) if (each !== undefined) of.on('data', each);
    told.splice(0);
    putListener(of, 'data', from, to);
    putListener(of, 'data', from, from);
    assert.deepEqual(
      of.listeners('data'),
      [before, to, after].filter((each) => each !== undefined),
    );
    assert.deepEqual(told, []);
  }
});

test('a listener is the first one for an event if no other was added or put before it', () => {
  const of = new EventEmitter();
  const [one, other] = [(): void => {}, (): void => {}];
  const isFirst = (): boolean[] => [one, other].map((each) => isFirstListener(of, 'data', each));
  assert.deepEqual(isFirst(), [false, false]);
  of.on('end', one);
  assert.deepEqual(isFirst(), [false, false]);
  of.on('data', one);
  assert.deepEqual(isFirst(), [true, false]);
  of.on('data', other);
  assert.deepEqual(isFirst(), [true, false]);
  of.off('data', one).on('data', one);
  assert.deepEqual(isFirst(), [false, true]);
  assert.equal(isFirstListener(Object.create(EventEmitter.prototype) as EventEmitter, 'data', one), false);
});
