import assert = require('node:assert/strict');
import { once } from 'node:events';
import http2 = require('node:http2');
import { test } from 'node:test';
import { receiveDirectly, stopReceiving, type BodyReceiver } from '../../src/node/http2-bodies.js';
import { openSession } from '../support/http2-client.js';

class Kept implements BodyReceiver {
  readonly told: string[] = [];
  ended!: () => void;
  readonly whole: Promise<void> = new Promise((resolve) => (this.ended = resolve));

  receive(chunk: Buffer): void {
    this.told.push(chunk.toString());
  }

  end(): void {
    this.told.push('end');
    this.ended();
  }
}

interface Ends {
  /** The server's end of a stream of which only the head has arrived. */
  readonly stream: http2.ServerHttp2Stream;
  readonly client: http2.ClientHttp2Stream;
  close(): void;
}

async function opened(): Promise<Ends> {
  const server = http2.createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const session = await openSession(server);
  const client = session.request({ ':method': 'POST' }, { waitForTrailers: true });
  client.on('error', () => undefined);
  client.on('wantTrailers', () => client.sendTrailers({ 'x-sum': '1' }));
  const [stream] = (await once(server, 'stream')) as [http2.ServerHttp2Stream];
  const close = (): void => {
    session.close();
    server.close();
  };
  return { stream, client, close };
}

test('a receiver gets a body part by part, its end after its trailers, and the stream closes as usual', async () => {
  const { stream, client, close } = await opened();
  const kept = new Kept();
  stream.on('trailers', ({ 'x-sum': sum }: http2.IncomingHttpHeaders) => kept.told.push(`sum ${String(sum)}`));
  assert.equal(receiveDirectly(stream, kept), true);
  client.write('one');
  while (kept.told.length === 0) await new Promise(setImmediate);
  client.end('two');
  await kept.whole;
  assert.deepEqual(kept.told, ['one', 'two', 'sum 1', 'end']);
  const closed = once(stream, 'close');
  stream.respond({}, { endStream: true });
  client.resume();
  await closed;
  assert.equal(stream.rstCode, http2.constants.NGHTTP2_NO_ERROR);
  close();
});

test('a receiver may leave the rest to the stream', async () => {
  const { stream, client, close } = await opened();
  const kept = new Kept();
  receiveDirectly(stream, kept);
  client.write('one');
  while (kept.told.length === 0) await new Promise(setImmediate);
  assert.equal(stopReceiving(stream), true);
  let rest = '';
  stream.on('data', (chunk: Buffer) => (rest += chunk.toString()));
  const ended = once(stream, 'end');
  client.end('two');
  await ended;
  assert.equal(rest, 'two');
  assert.deepEqual(kept.told, ['one']);
  stream.respond({}, { endStream: true });
  close();
});

test('a receiver gets the rest of a body after the end of the response, although node closes unread streams', async () => {
  const { stream, client, close } = await opened();
  const kept = new Kept();
  receiveDirectly(stream, kept);
  client.resume();
  const answered = once(client, 'response');
  stream.respond();
  stream.end();
  await answered;
  await once(client, 'end');
  client.end('late');
  await kept.whole;
  assert.deepEqual(kept.told, ['late', 'end']);
  close();
});

test('the state of a stream is what its first read makes of it', async () => {
  const readingMore = async (read: (stream: http2.ServerHttp2Stream) => void): Promise<unknown> => {
    const { stream, client, close } = await opened();
    read(stream);
    const { _readableState: state } = stream as unknown as { _readableState: { readingMore: unknown } };
    const { readingMore: found } = state;
    client.close();
    stream.close();
    close();
    return found;
  };
  assert.equal(
    await readingMore((stream) => receiveDirectly(stream, new Kept())),
    await readingMore((stream) => stream._read(0)),
  );
});

const readers: Readonly<Record<string, (stream: http2.ServerHttp2Stream) => unknown>> = {
  "has a listener for 'data'": (stream) => stream.on('data', () => undefined),
  "has a listener for 'end'": (stream) => stream.on('end', () => undefined),
  "has a listener for 'readable'": (stream) => stream.on('readable', () => undefined),
  'was paused': (stream) => stream.pause(),
  'has a push() of its own': (stream) => (stream.push = stream.push.bind(stream)),
  'has a read() of its own': (stream) => (stream.read = stream.read.bind(stream)),
};

for (const [how, read] of Object.entries(readers)) {
  test(`a stream that ${how} stays with its reader`, async () => {
    const { stream, client, close } = await opened();
    read(stream);
    const isReceived = receiveDirectly(stream, new Kept());
    client.close();
    close();
    assert.equal(isReceived, false);
  });
}

test('a body whose end has arrived is not given back to the stream, while its receiver waits for the trailers', async () => {
  const { stream, client, close } = await opened();
  const kept = new Kept();
  receiveDirectly(stream, kept);
  let isStopped: boolean | undefined;
  stream.on('trailers', () => (isStopped = stopReceiving(stream)));
  client.end('one');
  const ended = once(stream, 'end');
  stream.respond({}, { endStream: true });
  client.resume();
  await ended;
  close();
  assert.deepEqual([isStopped, kept.told], [false, ['one', 'end']]);
});

test('a stream that is reset in the middle closes, and receives no more', async () => {
  const { stream, client, close } = await opened();
  const kept = new Kept();
  receiveDirectly(stream, kept);
  client.write('one');
  while (kept.told.length === 0) await new Promise(setImmediate);
  const closed = once(stream, 'close');
  client.close(http2.constants.NGHTTP2_CANCEL);
  await closed;
  assert.deepEqual([kept.told[0], stream.rstCode, stream.aborted], ['one', http2.constants.NGHTTP2_CANCEL, true]);
  close();
});
