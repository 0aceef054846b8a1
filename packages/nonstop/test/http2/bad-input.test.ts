import assert = require('node:assert/strict');
import { once } from 'node:events';
import http2 = require('node:http2');
import { test } from 'node:test';
import { ask } from '../support/http2-client.js';
import { serve, served, type Served } from '../support/http2-server.js';
import { block, END_HEADERS, END_STREAM, Frame, frame, get, RawHttp2 } from '../support/raw-http2.js';

/*
 * Invalid input of clients. nghttp2 and node decide the answer, so the same octets are also sent to `node:http2`. Our part is
 * that no handler is called for it, that other sessions continue, and that the server can still be closed.
 */

const headers = (stream: number, fields = get(), flags = END_HEADERS | END_STREAM): Buffer =>
  frame(Frame.Headers, flags, stream, fields);

/** A header block cut into frames, because a frame holds 16 KB. */
function inFrames(stream: number, fields: Buffer): Buffer[] {
  const all: Buffer[] = [];
  for (let at = 0; at < fields.length; at += 16_000) {
    const part = fields.subarray(at, at + 16_000);
    const last = at + 16_000 >= fields.length ? END_HEADERS : 0;
    all.push(at === 0 ? headers(stream, part, END_STREAM | last) : frame(Frame.Continuation, last, stream, part));
  }
  return all;
}

/** That many fields, all with this value. */
const fields = (count: number, value: string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`x-${i}`, value]));

const repeated = (count: number, make: (i: number) => Buffer): Buffer =>
  Buffer.concat(Array.from({ length: count }, (_, i) => make(i)));

const CANCEL = Buffer.from([0, 0, 0, 8]);
const NOTHING = Buffer.alloc(4);

interface Case {
  readonly name: string;
  /** Frames to send in a session after its settings. */
  readonly octets: () => Buffer;
}

const cases: readonly Case[] = [
  {
    name: 'a header block whose fields are together over 65,535 octets',
    octets: () => Buffer.concat(inFrames(1, get('/never', fields(5, 'x'.repeat(15_000))))),
  },
  {
    name: 'one field of 70,000 octets',
    octets: () => Buffer.concat(inFrames(1, get('/never', fields(1, 'x'.repeat(70_000))))),
  },
  {
    name: 'a header block of more than 128 fields',
    octets: () => headers(1, get('/never', fields(130, 'x'))),
  },
  {
    name: 'endless settings, and reads no answer',
    octets: () => repeated(7000, () => frame(Frame.Settings, 0, 0)),
  },
  {
    name: 'endless pings, and reads no answer',
    octets: () => repeated(7000, () => frame(Frame.Ping, 0, 0, Buffer.alloc(8))),
  },
  {
    name: 'streams that are reset as soon as they are opened',
    octets: () =>
      repeated(3000, (i) => Buffer.concat([headers(2 * i + 1), frame(Frame.RstStream, 0, 2 * i + 1, CANCEL)])),
  },
  {
    name: 'empty frames of a body',
    octets: () => Buffer.concat([headers(1, get('/body'), END_HEADERS), repeated(3000, () => frame(Frame.Data, 0, 1))]),
  },
  {
    name: 'a header block in endless frames',
    octets: () => Buffer.concat([headers(1, get('/never'), 0), repeated(3000, () => frame(Frame.Continuation, 0, 1))]),
  },
  {
    name: 'a frame of the body after the end of its stream',
    octets: () => Buffer.concat([headers(1, get('/body')), frame(Frame.Data, END_STREAM, 1, Buffer.from('x'))]),
  },
  {
    name: 'a body longer than its Content-Length',
    octets: () =>
      Buffer.concat([
        headers(1, get('/body', { 'content-length': '1' }), END_HEADERS),
        frame(Frame.Data, END_STREAM, 1, Buffer.from('xx')),
      ]),
  },
  {
    name: 'a window update of 0',
    octets: () => Buffer.concat([headers(1, get('/body')), frame(Frame.WindowUpdate, 0, 1, NOTHING)]),
  },
  {
    name: 'a stream of an even number',
    octets: () => headers(2, get('/never')),
  },
  {
    name: 'a field name in capitals',
    octets: () => headers(1, block({ ':method': 'GET', ':scheme': 'http', ':path': '/never', 'X-A': 'b' })),
  },
  {
    name: 'no :path',
    octets: () => headers(1, block({ ':method': 'GET', ':scheme': 'http' })),
  },
  {
    name: 'a request of HTTP/1 instead of frames',
    octets: () => Buffer.from('GET /never HTTP/1.1\r\nHost: a\r\n\r\n'),
  },
];

/** Whether a client loses one stream or its session. GOAWAY or the end of the connection shows the latter; they race. */
async function endOf(client: RawHttp2): Promise<'stream' | 'session'> {
  for (;;) {
    if (client.closed || client.frames.some(({ type }) => type === Frame.GoAway)) return 'session';
    if (client.frames.some(({ type }) => type === Frame.RstStream)) return 'stream';
    await Promise.race([once(client.socket, 'data'), once(client.socket, 'close')]);
  }
}

/** Sends a case's octets to a server with a second open session. @returns the result for both */
async function send(all: Served, { octets }: Case): Promise<{ ends: string; alive: string }> {
  const sessions: http2.ServerHttp2Session[] = [];
  all.server.on('session', (session) => sessions.push(session));
  const client = await RawHttp2.open(all.server);
  // The limits apply once the client has acknowledged them.
  client.send(frame(Frame.Ping, 0, 0, Buffer.alloc(8)));
  await client.until(Frame.Ping);
  client.send(octets());
  const ends = await endOf(client);
  const alive = (await ask(all.session, { headers: { ':path': '/alive' } })).body.toString();
  client.drop();
  // Node 20 never notices that a client has left whose session it has ended by GOAWAY (see deadlines.test.ts).
  for (const session of sessions) session.destroy();
  await all.close();
  return { ends, alive };
}

/** A server of node's, with the same limits as ours. */
const serveByNode = async (listener: Parameters<typeof serve>[0]): Promise<Served> =>
  await served(http2.createServer({ settings: { maxHeaderListSize: 65_535 } }, listener as never));

for (const each of cases) {
  test(`a client that sends ${each.name} loses the same as on node:http2, and no other client is affected`, async () => {
    const seen: object[] = [];
    for (const door of [serveByNode, serve]) {
      const handled: (string | undefined)[] = [];
      const all = await door((req, res) => {
        handled.push(req.url);
        if (req.url === '/alive') res.end('alive');
      });
      const { ends, alive } = await send(all, each);
      assert.equal(alive, 'alive');
      assert.ok(!handled.includes('/never'));
      seen.push({ ends, handled: handled.includes('/body') });
    }
    assert.deepEqual(seen[1], seen[0]);
  });
}

const post = (more: Readonly<Record<string, string>> = {}): Buffer =>
  block({ ':method': 'POST', ':scheme': 'http', ':path': '/', ':authority': 'raw', ...more });

/** Faults in front of streams with bodies, in one segment. Node 22 by itself ends the process by a failed assertion. */
const inFront: Readonly<Record<string, readonly Buffer[]>> = {
  'a body that is longer than its Content-Length': [
    frame(Frame.Headers, END_HEADERS, 1, post({ 'content-length': '1' })),
    frame(Frame.Data, END_STREAM, 1, Buffer.from('xx')),
    frame(Frame.Headers, END_HEADERS, 3, post()),
    frame(Frame.Data, 0, 3, Buffer.from('xx')),
  ],
  'GOAWAY with an error': [
    frame(Frame.GoAway, 0, 0, Buffer.from([0, 0, 0, 0, 0, 0, 0, 1])),
    frame(Frame.Headers, END_HEADERS, 1, post()),
    frame(Frame.Data, END_STREAM, 1, Buffer.from('xx')),
  ],
};

for (const [fault, frames] of Object.entries(inFront)) {
  test(`a fault in front of other streams in one segment ends its session alone: ${fault}`, async () => {
    const all = await serve((req, res) => {
      req.resume();
      res.end('alive');
    });
    const sessions: http2.Http2Session[] = [];
    all.server.on('session', (session) => sessions.push(session));
    const client = await RawHttp2.open(all.server);
    await client.until(Frame.Settings);
    client.send(...frames);
    // The octets have come before these.
    for (const _ of [1, 2]) assert.equal(String((await ask(all.session, { headers: {} })).body), 'alive');
    client.drop();
    // Node 20 leaves it open.
    for (const session of sessions) session.destroy();
    await all.close();
  });
}
