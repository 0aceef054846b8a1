import assert = require('node:assert/strict');
import { Socket } from 'node:net';
import { test } from 'node:test';
import { readDirectly } from '../../src/node/handle-reads.js';

const SIZE = 65_536;

/** The parts of a handle that a socket needs, and a function that delivers octets. */
class Handle {
  bytesRead = 0;
  reading = false;
  stopped = 0;
  buffer: Uint8Array = new Uint8Array();
  /** What went through node's own code: undefined for the end and for errors. */
  readonly throughStream: (string | undefined)[] = [];
  onread: (data?: ArrayBuffer) => unknown = () => undefined;

  useUserBuffer(buffer: Uint8Array): void {
    this.buffer = buffer;
  }
  readStart(): void {
    this.stopped = 0;
  }
  readStop(): void {
    this.stopped++;
  }
  close(): void {}

  arrive(octets: string | Buffer): void {
    const data = Buffer.from(octets);
    this.buffer.set(data);
    this.bytesRead += data.length;
    const next = this.onread();
    assert.ok(next === undefined || next instanceof Uint8Array, 'node ends the process for anything else');
    if (next !== undefined) this.buffer = next;
  }
}

interface Stage {
  readonly handle: Handle;
  readonly socket: Socket;
  /** The octets that came directly, as they are at the end: lent memory was copied, given memory was not. */
  readonly direct: Buffer[];
}

function stage(answer: (chunk: Buffer) => number = () => 0): Stage {
  const handle = new Handle();
  const socket = new Socket({ handle } as never);
  const direct: Buffer[] = [];
  const listener = (chunk: Buffer, lent?: boolean): number => {
    direct.push(lent === true ? Buffer.from(chunk) : chunk);
    return answer(chunk);
  };
  Object.assign(socket, { server: {} });
  handle.onread = (data) => {
    handle.throughStream.push(data === undefined ? undefined : Buffer.from(data).toString());
  };
  socket.on('data', listener);
  readDirectly(socket, listener);
  // A 'data' listener makes a socket flow one tick later.
  socket.resume();
  return { handle, socket, direct };
}

const texts = (chunks: readonly Buffer[]): string[] => chunks.map(String);

test('data is read directly', () => {
  const { handle, direct } = stage();
  handle.arrive('one');
  handle.arrive('two');
  assert.deepEqual(texts(direct), ['one', 'two']);
  assert.deepEqual(handle.throughStream, []);
});

const reasons: Record<string, (stage: Stage) => void> = {
  'there is another listener for data': ({ socket }) => void socket.on('data', () => {}),
  'there is no listener for data': ({ socket }) => void socket.removeAllListeners('data'),
  "there is a listener for 'readable'": ({ socket }) => void socket.on('readable', () => {}),
  'the stream still holds what came before': ({ socket }) => {
    socket.pause();
    socket.push('before');
    socket.resume();
  },
};

for (const [reason, happens] of Object.entries(reasons)) {
  test(`data goes through the stream when ${reason}`, () => {
    const played = stage();
    happens(played);
    played.handle.arrive('octets');
    assert.deepEqual(texts(played.direct).includes('octets'), false);
    assert.deepEqual(played.handle.throughStream, ['octets']);
    played.socket.destroy();
  });
}

// Pausing an HTTP socket stops its handle. When the handle starts again, node's parser gets the data.
test('data on a paused socket whose handle still reads is read directly', () => {
  const { handle, direct, socket } = stage();
  socket.pause();
  handle.arrive('octets');
  assert.deepEqual(texts(direct), ['octets']);
  assert.deepEqual(handle.throughStream, []);
});

test('the end and errors go through the stream', () => {
  const { handle } = stage();
  handle.arrive('octets');
  handle.onread();
  assert.deepEqual(handle.throughStream, [undefined]);
});

test('data that the stream has got does not change when more arrives', () => {
  const { handle, socket } = stage();
  const given: ArrayBuffer[] = [];
  const paused = new Handle();
  const other = new Socket({ handle: paused } as never);
  Object.assign(other, { server: {} });
  paused.onread = (data) => given.push(data!);
  readDirectly(other, () => 0);
  paused.arrive('kept');
  handle.arrive('others');
  assert.equal(Buffer.from(given[0]).toString(), 'kept');
  socket.destroy();
});

test('sockets read into the same memory until one of them is reading a large message', () => {
  const [first, second] = [stage(() => Infinity), stage()];
  assert.equal(first.handle.buffer, second.handle.buffer);
  const [a, b, c] = ['a', 'b', 'c'].map((letter) => Buffer.alloc(SIZE, letter));
  first.handle.arrive(a);
  assert.notEqual(first.handle.buffer, second.handle.buffer);
  first.handle.arrive(b);
  first.handle.arrive(c);
  second.handle.arrive(a);
  first.handle.arrive('end');
  const [, given, givenNext] = first.direct;
  assert.ok(given.equals(b) && givenNext.equals(c), 'given away, and not written to again');
  assert.equal(first.handle.buffer, second.handle.buffer);
});

test('the rest of a message that is shorter than a read comes into the memory of all sockets', () => {
  let rest = 2 * SIZE - 1;
  const { handle, direct } = stage((chunk) => (rest -= chunk.length));
  const before = handle.buffer;
  const parts = [Buffer.alloc(SIZE, 'a'), Buffer.alloc(SIZE - 1, 'b')];
  handle.arrive(parts[0]);
  assert.equal(handle.buffer, before);
  handle.arrive(parts[1]);
  assert.deepEqual(texts(direct), texts(parts));
  rest = 3 * SIZE;
  handle.arrive(parts[0]);
  assert.notEqual(handle.buffer, before, 'of its own as long as a full read may come');
  handle.arrive(parts[0]);
  assert.notEqual(handle.buffer, before);
  handle.arrive(parts[0]);
  assert.equal(handle.buffer, before);
});

test('a socket is not read while a handler has the memory that it reads into', () => {
  let stopped = 0;
  const { handle } = stage((chunk) => {
    if (chunk.length === SIZE) stopped = handle.stopped;
    return Infinity;
  });
  handle.reading = true;
  handle.arrive(Buffer.alloc(SIZE));
  handle.arrive(Buffer.alloc(SIZE));
  assert.equal(stopped, 1);
  assert.equal(handle.stopped, 0, 'and is read again afterwards');
});

test('the memory that was passed to a handler that throws is not reused', () => {
  let fails = false;
  const { handle, direct } = stage(() => {
    if (fails) throw new Error('of a handler');
    return Infinity;
  });
  handle.arrive(Buffer.alloc(SIZE, 'a'));
  fails = true;
  assert.throws(() => handle.arrive(Buffer.alloc(SIZE, 'b')), { message: 'of a handler' });
  fails = false;
  handle.arrive('after');
  assert.equal(direct[1].equals(Buffer.alloc(SIZE, 'b')), true);
  assert.equal(String(direct[2]), 'after');
});

test('data that a handle has not read into the given memory goes through the stream', () => {
  const { handle, direct } = stage();
  handle.arrive('before');
  handle.bytesRead += 5;
  handle.onread(new Uint8Array(Buffer.from('given')).buffer);
  assert.deepEqual(texts(direct), ['before']);
  assert.deepEqual(handle.throughStream, ['given']);
  handle.arrive('after');
  assert.deepEqual(texts(direct), ['before', 'after']);
});

for (const [when, reads] of Object.entries({ 'before a large message': 0, 'inside a large message': 2 })) {
  test(`the memory stays the same if a function of a program, put there ${when}, drops the result`, () => {
    const { handle, direct } = stage((chunk) => (chunk.length === SIZE ? Infinity : 0));
    const parts = ['a', 'b', 'c', 'd', 'e'].map((letter) => Buffer.alloc(SIZE, letter));
    for (const part of parts.slice(0, reads)) handle.arrive(part);
    const { onread, buffer } = handle;
    handle.onread = (data) => void onread(data);
    for (const part of parts.slice(reads)) handle.arrive(part);
    handle.arrive('end');
    assert.deepEqual(texts(direct), [...texts(parts), 'end']);
    assert.equal(handle.buffer, buffer);
  });
}

const own = Object.create(Socket.prototype) as object;
const others: Record<string, readonly [members: object, prototype: object]> = {
  'a socket that no server has accepted': [{}, Socket.prototype],
  'a socket with a prototype of its own': [{ server: {} }, own],
  'a socket of TLS with a prototype of its own': [{ server: {}, encrypted: true }, own],
};
for (const [name, [members, prototype]] of Object.entries(others)) {
  test(`the handle of ${name} is not changed`, () => {
    const handle = new Handle();
    const socket = Object.assign(new Socket({ handle } as never), members);
    Object.setPrototypeOf(socket, prototype);
    const { onread } = handle;
    readDirectly(socket, () => 0);
    assert.equal(handle.onread, onread);
    assert.equal(handle.buffer.length, 0);
  });
}

for (const name of ['onread', 'bytesRead', 'useUserBuffer', '_unrefTimer']) {
  test(`the stream is read on a Node that has no ${name}`, () => {
    const handle = new Handle();
    const socket = Object.assign(new Socket({ handle } as never), { server: {} });
    Object.assign(name.startsWith('_') ? socket : handle, { [name]: undefined });
    const { onread } = handle;
    readDirectly(socket, () => 0);
    assert.equal(handle.onread, onread);
    assert.equal(handle.buffer.length, 0);
  });
}
