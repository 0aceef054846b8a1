import { once } from 'node:events';
import stream = require('node:stream');
import { PassThrough, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import assert = require('node:assert/strict');
import {
  eachSameThroughBothDoors,
  watch,
  type Handler,
  type Scenario,
  type Transcript,
} from '../support/both-doors.js';

const post = (body: string): string => `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const chunkedHead = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
const big = 'x'.repeat(200_000);

const ways: readonly (readonly [name: string, handler: Handler])[] = [
  [
    'for await',
    async (req, res, log) => {
      const parts: Buffer[] = [];
      for await (const chunk of req) parts.push(chunk as Buffer);
      log('req', 'body', Buffer.concat(parts).length);
      res.end();
    },
  ],
  [
    'pipeline into a transform and back',
    async (req, res) => {
      const upper = new Transform({
        transform: (chunk: Buffer, _encoding, done) => done(null, chunk.toString().toUpperCase()),
      });
      await pipeline(req, upper, res);
    },
  ],
  ['pipe', (req, res) => req.pipe(res)],
  [
    "'readable' and read()",
    (req, res, log) => {
      let size = 0;
      req.on('readable', () => {
        for (let chunk = req.read() as Buffer | null; chunk !== null; chunk = req.read() as Buffer | null)
          size += chunk.length;
      });
      req.on('end', () => {
        log('req', 'size', size);
        res.end();
      });
    },
  ],
  [
    'read(n) by threes',
    (req, res, log) => {
      let first = '';
      req.on('readable', () => {
        for (let chunk = req.read(3) as Buffer | null; chunk !== null; chunk = req.read(3) as Buffer | null)
          if (first.length < 9) first += chunk.toString();
      });
      req.on('end', () => {
        log('req', 'first', first);
        res.end();
      });
    },
  ],
  [
    'setEncoding',
    (req, res, log) => {
      let text = '';
      req.setEncoding('hex');
      req.on('data', (chunk: string) => {
        text += chunk;
      });
      req.on('end', () => {
        log('req', 'text', [typeof text, text.length, text.slice(0, 8)]);
        res.end();
      });
    },
  ],
  [
    'resume() and end',
    (req, res, log) => {
      req.resume();
      req.on('end', () => {
        log('req', 'state', [req.complete, req.readableEnded, req.readable, req.destroyed, req.readableFlowing]);
        res.end();
      });
    },
  ],
  [
    'a listener that comes late',
    (req, res, log) => {
      setImmediate(() =>
        setImmediate(() => {
          watch(req, res, log);
          req.on('end', () => res.end('late'));
        }),
      );
    },
  ],
  [
    'pause and resume',
    (req, res, log) => {
      let pauses = 0;
      req.on('data', () => {
        req.pause();
        pauses++;
        setImmediate(() => req.resume());
      });
      req.on('end', () => {
        log('req', 'paused', pauses > 0);
        res.end();
      });
    },
  ],
  [
    'unpipe and pipe elsewhere',
    (req, res, log) => {
      const first = new PassThrough();
      const second = new PassThrough();
      let size = 0;
      second.on('data', (chunk: Buffer) => {
        size += chunk.length;
      });
      second.on('end', () => {
        log('req', 'size', size);
        res.end();
      });
      req.pipe(first);
      req.unpipe(first);
      req.pipe(second);
    },
  ],
  [
    'iterator helpers',
    async (req, res, log) => {
      log(
        'req',
        'chunks joined',
        ((await req.map((chunk: Buffer) => chunk.length).toArray()) as number[]).reduce((a, b) => a + b, 0),
      );
      res.end();
    },
  ],
  [
    'an answer before the body is read',
    (req, res, log) => {
      res.end('early');
      watch(req, res, log);
    },
  ],
  ['an unread body', (_req, res) => res.end('unread')],
  [
    'removeAllListeners before the body',
    (req, res) => {
      req.on('data', () => undefined);
      req.removeAllListeners();
      req.resume();
      res.end('removed');
    },
  ],
];

const SIZE_LINE = /^[0-9a-f]+(?=\r$)/gm;
const WHOLE_READ = 65_536;

/** A chunk for each read: no chunk is longer than a read can be. */
function areReads({ wire }: Transcript): void {
  for (const [size] of wire.matchAll(SIZE_LINE))
    assert.ok(Number.parseInt(size, 16) <= WHOLE_READ, `a chunk of ${size}`);
}

const reading: Scenario[] = ways.flatMap(([name, handler]) => [
  { name: `a small body by ${name}`, send: post('hello world'), handler },
  // The system decides how much of a big body a read has.
  { name: `a big body by ${name}`, send: post(big), handler, chunksFollowReads: true, check: areReads },
  { name: `no body by ${name}`, send: 'GET / HTTP/1.1\r\nHost: a\r\n\r\n', handler },
]);

const phases: Scenario[] = [
  {
    name: 'a body that arrives in pieces is delivered as it comes',
    handler: (req, res, log) => {
      watch(req, res, log);
      req.on('data', () => res.write('.'));
      req.on('end', () => res.end('!'));
    },
    talk: async (client) => {
      await client.send(`${chunkedHead}3\r\nabc\r\n`);
      await client.untilReceived('1\r\n.\r\n');
      await client.send('2\r\nde\r\n0\r\n\r\n');
      await client.answer();
      client.drop();
    },
    check: ({ wire }) => assert.match(wire, /1\r\n\.\r\n1\r\n\.\r\n1\r\n!\r\n0\r\n\r\n$/),
  },
  {
    name: 'a paused request holds the sender back',
    handler: (req, res, log) => {
      req.pause();
      res.write('paused');
      req.socket.once('pause', () => log('socket', 'pause'));
      res.once('close', () => log('res', 'close'));
      req.once('close', () => log('req', 'close'));
      server = req;
    },
    talk: async (client) => {
      await client.send(chunkedHead);
      await client.untilReceived('paused');
      // More than the buffers of both sockets and of the stream together: 'drain' comes only once the body is read.
      const flood = Buffer.alloc(32 * 1024 * 1024, 'x');
      let sent = false;
      const sending = client
        .send(Buffer.concat([Buffer.from(`${flood.length.toString(16)}\r\n`), flood, Buffer.from('\r\n0\r\n\r\n')]))
        .then(() => {
          sent = true;
        });
      await client.untilReceived('paused');
      for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve));
      assert.equal(sent, false, 'the sender was held back');
      assert.ok(
        server !== undefined && server.readableLength < flood.length / 2,
        'the request did not swallow everything',
      );
      let size = 0;
      server.on('data', (chunk: Buffer) => {
        size += chunk.length;
      });
      const ended = once(server, 'end');
      server.resume();
      await Promise.all([ended, sending]);
      assert.equal(size, flood.length);
      client.drop();
    },
  },
  {
    name: 'destroying the request drops the connection',
    send: post('hello'),
    answers: 0,
    then: 'wait',
    handler: (req, res, log) => {
      watch(req, res, log);
      req.on('end', () => undefined);
      req.destroy();
    },
  },
  {
    name: 'destroying the request with an error drops the connection and reports it',
    send: post('hello'),
    answers: 0,
    then: 'wait',
    handler: (req, res, log) => {
      watch(req, res, log);
      req.destroy(new Error('enough'));
    },
  },
  {
    name: 'the events of a read request come in order',
    send: post('hello'),
    handler: (req, res, log) => {
      watch(req, res, log);
      req.on('end', () => res.end());
    },
    check: ({ events }) => assert.deepEqual(events['req POST /'], [['end', 'hello'], 'close']),
  },
];
// As in node's parser, ticks run between pieces of a body that arrive together, and before its trailers.
const between: Scenario[] = [
  {
    name: 'a handler that waits for a promise reads the first of two pieces that came together',
    send: `${chunkedHead}3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n`,
    handler: async (req, res, log) => {
      await Promise.resolve();
      log('req', 'read', String(req.read()));
      res.end();
    },
  },
  {
    name: "a 'readable' listener after an answer reads only the first piece",
    send: `${chunkedHead}3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n`,
    handler: (req, res, log) => {
      res.on('error', () => undefined);
      res.end('whole');
      req.on('readable', () => log('req', 'read', String(req.read())));
    },
  },
  {
    name: 'an answer given after a promise is sent before the trailers are read, and before a fault after them',
    send: `${chunkedHead.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')}0\r\nX-Sum: 5\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n`,
    handler: async (_req, res) => {
      await Promise.resolve();
      res.end('answered');
    },
    then: 'wait',
    check: ({ wire }) => assert.match(wire, /^HTTP\/1\.1 200 OK/),
  },
  {
    name: 'after the rest of a body that came later, ticks run before the next request, and none before its body',
    handler: (req, res, log) => {
      log('order', req.method!);
      // The first request is not used.
      if (req.method === 'PUT') process.nextTick(() => log('order', `tick, ${req.readableLength} octets`));
      res.on('error', () => undefined);
      res.end();
    },
    talk: async (client, { sendEach }) => {
      const post = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\na';
      await sendEach(client, [post, `b${post.replace('POST', 'PUT')}b`]);
      await client.answer();
      await client.answer();
      client.drop();
    },
  },
  {
    name: 'on a connection that has had trailers, ticks run before each head',
    send: `${chunkedHead}0\r\nX-Sum: 5\r\n\r\n${'GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2)}`,
    answers: 3,
    handler: (req, res, log) => {
      log('order', req.method!);
      process.nextTick(() => log('order', 'tick'));
      res.end();
    },
    check: ({ events }) => assert.deepEqual(events['order'], ['POST', 'tick', 'GET', 'tick', 'GET', 'tick']),
  },
];
let server: import('node:http').IncomingMessage | undefined;

/** What a handler awaits before it uses the stream of a request that arrived completely. */
const waits: readonly (readonly [name: string, wait: () => Promise<unknown>])[] = [
  ['a promise', () => Promise.resolve()],
  ['a tick', () => new Promise<void>((resolve) => process.nextTick(resolve))],
  ['a turn of the loop', () => new Promise((resolve) => setImmediate(resolve))],
];
const bodies: readonly (readonly [name: string, send: string])[] = [
  ['no body', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['no chunks', `${chunkedHead}0\r\n\r\n`],
  ['a chunk', `${chunkedHead}3\r\nabc\r\n0\r\n\r\n`],
  ['a length', post('abc')],
];
const late: Scenario[] = waits.flatMap(([awaited, wait]) =>
  bodies.map(([name, send]) => ({
    name: `a request with ${name}, first touched behind ${awaited}, ends in the tick of node's when its answer has ended`,
    send,
    handler: async (req, res, log) => {
      await wait();
      req.on('end', () => log('order', "'end'"));
      res.on('finish', () => log('order', "'finish'"));
      res.end('answered');
      await Promise.resolve();
      stream.pipeline(req, res, (error?: NodeJS.ErrnoException | null) => log('order', 'pipeline', error?.code));
    },
  })),
);

eachSameThroughBothDoors([...reading, ...phases, ...between, ...late]);
