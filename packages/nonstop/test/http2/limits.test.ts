import assert = require('node:assert/strict');
import http2 = require('node:http2');
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { until } from '../support/bounded.js';
import { ask, openSession } from '../support/http2-client.js';
import { serve, type Served } from '../support/http2-server.js';
import { END_HEADERS, END_STREAM, Frame, frame, get, RawHttp2 } from '../support/raw-http2.js';

const headers = (stream: number, block = get(), flags = END_HEADERS | END_STREAM): Buffer =>
  frame(Frame.Headers, flags, stream, block);

const code = (payload: Buffer, at: number): number => payload.readUInt32BE(at);

/** Whether the server still answers on another session. */
async function stillServes({ session }: Served): Promise<void> {
  assert.equal((await ask(session, { headers: { ':path': '/alive' } })).body.toString(), 'alive');
}

const serveAlive = (options?: http2.ServerOptions): Promise<Served> =>
  serve((req, res) => {
    if (req.url === '/alive') res.end('alive');
  }, options);

test('a session may have 128 streams at once, and its client sends the next when one of them ends', async () => {
  let open = 0;
  let most = 0;
  const all = await serve((_req, res) => {
    most = Math.max(most, ++open);
    // After everything else that arrives.
    setTimeout(() => {
      open--;
      res.end();
    }, 20);
  });
  await ask(all.session, { headers: {} });
  assert.equal(all.session.remoteSettings.maxConcurrentStreams, 128);
  const answers = await Promise.all(Array.from({ length: 300 }, () => ask(all.session, { headers: {} })));
  assert.ok(answers.every(({ whole }) => whole));
  assert.equal(most, 128);
  await all.close();
});

test('a client that opens too many streams loses its session, and no other client does', async () => {
  const all = await serveAlive();
  const client = await RawHttp2.open(all.server);
  await client.until(Frame.Settings);
  // The limit applies once the client has acknowledged it.
  client.send(frame(Frame.Ping, 0, 0, Buffer.alloc(8)));
  await client.until(Frame.Ping);
  for (let i = 0; i < 129; i++) client.send(headers(2 * i + 1));
  const { payload } = (await client.until(Frame.GoAway))!;
  // PROTOCOL_ERROR, which Node 20 reports as INTERNAL_ERROR.
  assert.notEqual(code(payload, 4), 0);
  await stillServes(all);
  client.drop();
  await all.close();
});

test('the options set the number of streams', async () => {
  const all = await serveAlive({ settings: { maxConcurrentStreams: 7 } });
  await stillServes(all);
  assert.equal(all.session.remoteSettings.maxConcurrentStreams, 7);
  await all.close();
});

/** Octets that a client may send before the server has read any. */
async function windowOf(
  options: http2.ServerOptions,
  onSession?: (session: http2.ServerHttp2Session) => void,
): Promise<number | undefined> {
  const all = await serveAlive(options);
  if (onSession) all.server.on('session', onSession);
  const client = http2.connect(`http://127.0.0.1:${(all.server.address() as AddressInfo).port}`);
  assert.equal((await ask(client, { headers: { ':path': '/alive' } })).body.toString(), 'alive');
  await until(
    () => client.state.remoteWindowSize !== 65_535,
    () => 'another window than that of RFC 9113',
  );
  const { remoteWindowSize } = client.state;
  client.close();
  await all.close();
  return remoteWindowSize;
}

test("a session's window is 1 MiB, or that of a stream if it is larger, or what the program has set", async () => {
  assert.equal(await windowOf({}), 2 ** 20);
  assert.equal(await windowOf({ settings: { initialWindowSize: 2 ** 18 } }), 2 ** 20);
  assert.equal(await windowOf({ settings: { initialWindowSize: 2 ** 22 } }), 2 ** 22);
  assert.equal(await windowOf({}, (session) => session.setLocalWindowSize(2 ** 17)), 2 ** 17);
});

test("streams that nobody reads do not hold up another's body, and send no more than their windows", async () => {
  const MANY = 20;
  const unread: http2.Http2ServerRequest[] = [];
  const all = await serve((req, res) => {
    if (req.url === '/unread') unread.push(req as unknown as http2.Http2ServerRequest);
    else req.pipe(res);
  });
  const streams = Array.from({ length: MANY }, () => all.session.request({ ':method': 'POST', ':path': '/unread' }));
  for (const stream of streams) stream.on('error', () => undefined).write(Buffer.alloc(100_000));
  const body = 'x'.repeat(300_000);
  assert.equal((await ask(all.session, { headers: { ':method': 'POST', ':path': '/' }, body })).body.toString(), body);
  const waiting = (): number[] => unread.map(({ stream }) => stream.readableLength);
  await until(
    () => waiting().every((octets) => octets >= 65_535),
    () => `the windows to be full: ${waiting().join()}`,
  );
  assert.deepEqual(waiting(), Array(MANY).fill(65_535));
  for (const stream of streams) stream.destroy();
  await all.close();
});

test('a header block over the limit is refused from a client that has not acknowledged the limit', async () => {
  const LARGE = 70_000;
  for (const [maxHeaderListSize, refused] of [
    [undefined, true],
    [100_000, false],
  ] as const) {
    const settings = maxHeaderListSize === undefined ? {} : { maxHeaderListSize };
    const handled: unknown[] = [];
    const all = await serve(
      (req, res) => {
        handled.push(req.url);
        res.end();
      },
      { settings },
    );
    // The client sends only its own settings and this request, so no acknowledgement comes before it.
    const client = await RawHttp2.open(all.server, false);
    const fields = get(
      '/large',
      Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, 'x'.repeat(LARGE / 5)])),
    );
    const frames = [Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame(Frame.Settings, 0, 0)];
    for (let at = 0; at < fields.length; at += 16_000) {
      const part = fields.subarray(at, at + 16_000);
      const end = at + 16_000 >= fields.length ? END_HEADERS : 0;
      frames.push(at === 0 ? headers(1, part, END_STREAM | end) : frame(Frame.Continuation, end, 1, part));
    }
    client.send(...frames);
    const found = await client.until(refused ? Frame.RstStream : Frame.Headers, 1);
    if (refused) assert.equal(code(found!.payload, 0), http2.constants.NGHTTP2_ENHANCE_YOUR_CALM);
    assert.deepEqual(handled, refused ? [] : ['/large']);
    client.drop();
    await all.close();
  }
});

for (const parts of [false, true]) {
  test(`an answer${parts ? ' in parts' : ''} whose fields are over 65,535 octets is reset, unless an option allows them`, async () => {
    for (const [options, refused] of [
      [{}, true],
      [{ maxSendHeaderBlockLength: 200_000 }, false],
    ] as const) {
      let closed: Promise<unknown> | undefined;
      const all = await serve((req, res) => {
        if (req.url === '/alive') return void res.end('alive');
        closed = new Promise((resolve) => res.once('close', () => resolve(res.writableFinished)));
        for (const name of ['x-a', 'x-b', 'x-c', 'x-d']) res.setHeader(name, 'x'.repeat(20_000));
        if (parts) res.write('');
        return res.end('whole');
      }, options);
      const { whole, reset } = await ask(all.session, { headers: {} });
      assert.deepEqual([whole, reset], [!refused, refused ? http2.constants.NGHTTP2_FRAME_SIZE_ERROR : 0]);
      assert.equal(await closed, !refused);
      const session = await openSession(all.server);
      await stillServes({ ...all, session });
      session.destroy();
      await all.close();
    }
  });
}
