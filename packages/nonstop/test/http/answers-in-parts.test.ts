import { once } from 'node:events';
import type http = require('node:http');
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { TICKS_ARE_CHUNKS } from '../../src/node/differences.js';
import { eachSameThroughBothDoors, watch, type Log, type Scenario } from '../support/both-doors.js';

const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const small = Buffer.from([0x00, 0x80, 0xff, 0x0a]);
/** More than the engine joins with the text before it. */
const medium = Buffer.alloc(5000, 0xe4);
/** More than a socket takes before write() returns false. */
const large = Buffer.alloc(100_000, 0xf6);
const HUGE = 8 * 1024 * 1024;

const later = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The properties of a response while it is being written. */
function state(res: http.ServerResponse, log: Log, when: string): void {
  log('state', when, [
    res.headersSent,
    res.writableEnded,
    res.writableFinished,
    // The Date in the head has the same length every day.
    res.writableLength,
    res.writableNeedDrain,
    res.writableCorked,
    res.socket?.writableCorked,
    res.socket?.writableNeedDrain,
    res.listenerCount('drain'),
  ]);
}

type Part = string | Uint8Array;

const parts: Record<string, readonly Part[]> = {
  'one text': ['text'],
  texts: ['one', 'two', 'three'],
  'texts in UTF-8': ['caf\xe9', '€', '😀 and a lone \ud800'],
  'a character cut in its middle': ['x\ud83d', '\ude00y', '', '\ud83d', '', '\ude00', 'z'],
  'a character cut at the end': ['x\ud83d', '\ude00'],
  'ASCII, then UTF-8': ['plain', 'pl€in', 'plain'],
  'small octets': [small, small],
  'octets, then UTF-8': [small, '€'],
  'UTF-8, then octets': ['€', small],
  'octets that are no Buffer': [new Uint8Array([1, 2, 254]), new Uint8Array(6000).fill(7)],
  'part of a larger memory': [medium.subarray(10, 13), medium.subarray(0, 4500)],
  'octets of middle size': [medium, medium],
  'large octets': [large, small],
  'a large text': ['x'.repeat(100_000), 'y'],
  'a large text in UTF-8': ['€'.repeat(40_000), 'y'],
  'texts and octets': ['text', small, '€', medium, 'end', large],
  'empty parts between': ['', 'a', Buffer.alloc(0), '', 'b', ''],
  'nothing but empty parts': ['', Buffer.alloc(0)],
};

const lengthOf = (all: readonly Part[]): number =>
  all.reduce((sum, part) => sum + (typeof part === 'string' ? Buffer.byteLength(part) : part.length), 0);

type Way = (res: http.ServerResponse, all: readonly Part[], log: Log) => unknown;

const ways: Record<string, Way> = {
  'in one tick': (res, all, log) => {
    for (const part of all) {
      log('res', 'write', res.write(part));
      state(res, log, 'written');
    }
    res.end();
    state(res, log, 'ended');
  },
  'in one tick, the last by end()': (res, all, log) => {
    for (const part of all.slice(0, -1)) log('res', 'write', res.write(part));
    res.end(all.at(-1));
    state(res, log, 'ended');
  },
  'a turn each': async (res, all, log) => {
    for (const part of all) {
      const goOn = res.write(part);
      log('res', 'write', goOn);
      state(res, log, 'written');
      await later();
      state(res, log, 'a turn later');
    }
    res.end();
  },
  'behind promises': async (res, all) => {
    for (const part of all) {
      res.write(part);
      await Promise.resolve();
    }
    res.end();
  },
  'two a tick': async (res, all) => {
    for (let i = 0; i < all.length; i += 2) {
      res.write(all[i]);
      if (i + 1 < all.length) process.nextTick(() => res.write(all[i + 1]));
      await later();
    }
    res.end();
  },
  'with its length': (res, all, log) => {
    res.setHeader('Content-Length', lengthOf(all));
    for (const part of all) log('res', 'write', res.write(part));
    state(res, log, 'written');
    res.end();
    state(res, log, 'ended');
  },
  'with its length, the last with end()': (res, all, log) => {
    res.setHeader('Content-Length', lengthOf(all));
    for (const part of all.slice(0, -1)) log('res', 'write', res.write(part));
    res.end(all.at(-1));
    state(res, log, 'ended');
  },
  'with its length, a turn each': async (res, all) => {
    res.writeHead(200, { 'Content-Length': lengthOf(all) });
    for (const part of all) {
      res.write(part);
      await later();
    }
    res.end();
  },
  'behind its head': async (res, all, log) => {
    res.flushHeaders();
    state(res, log, 'flushed');
    await later();
    for (const part of all) res.write(part);
    res.end();
  },
  piped: (res, all) => Readable.from(all.filter((part) => part.length !== 0)).pipe(res),
};

const heads: Record<string, string> = {
  'HTTP/1.1': get,
  'HTTP/1.0': 'GET / HTTP/1.0\r\n\r\n',
  'HTTP/1.0 with keep-alive': 'GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n',
  HEAD: 'HEAD / HTTP/1.1\r\nHost: a\r\n\r\n',
};

const tables: Scenario[] = Object.entries(heads).flatMap(([head, send]) =>
  Object.entries(ways).flatMap(([way, act]) =>
    Object.entries(parts)
      // The parts themselves are tested with HTTP/1.1; for HTTP/1.0 and HEAD two of them are enough.
      .filter(([what]) => head === 'HTTP/1.1' || what === 'texts' || what === 'texts and octets')
      .map(([what, all]) => ({
        name: `${head}: ${what}, ${way}`,
        send,
        methods: [send.slice(0, send.indexOf(' '))],
        then: send.includes('1.0\r\n\r\n') ? 'wait' : 'probe',
        handler: (_: http.IncomingMessage, res: http.ServerResponse, log: Log) => act(res, all, log),
      })),
  ),
) as Scenario[];

/** Calls that leave the rest of an answer to node's own code. */
const turns: Record<string, (res: http.ServerResponse, log: Log) => unknown> = {
  'a callback': (res, log) => res.write('more', () => log('res', 'callback')),
  'another encoding': (res) => res.write('6d6f7265', 'hex'),
  trailers: (res) => res.addTrailers({ 'X-Trailer': 'there' }),
  'cork and uncork': (res) => {
    res.cork();
    res.write('more');
    res.write('and more');
    res.uncork();
  },
  'setTimeout()': (res) => res.setTimeout(60_000),
  'a field too late': (res, log) => {
    try {
      res.setHeader('X-Late', '1');
    } catch (error) {
      log('res', 'threw', (error as NodeJS.ErrnoException).code);
    }
  },
  'a second head': (res, log) => {
    try {
      res.writeHead(500);
    } catch (error) {
      log('res', 'threw', (error as NodeJS.ErrnoException).code);
    }
  },
  'a part of a wrong type': (res, log) => {
    try {
      res.write(5);
    } catch (error) {
      log('res', 'threw', (error as NodeJS.ErrnoException).code);
    }
  },
  'a strict length': (res) => {
    res.strictContentLength = true;
  },
};

const turning: Scenario[] = Object.entries(turns).flatMap(([what, turn]) =>
  [false, true].map((behind) => ({
    name: `${what} ${behind ? 'a turn behind' : 'in the tick of'} the first part`,
    send: get,
    then: 'follow',
    handler: async (req, res, log) => {
      watch(req, res, log);
      res.write('first');
      if (behind) await later();
      turn(res, log);
      state(res, log, 'turned');
      res.write('last');
      res.end();
    },
  })),
) as Scenario[];

/** What a program does to the socket between the parts of one tick. */
const onSocket: Record<string, (socket: Socket, log: Log) => unknown> = {
  'text without a callback': (socket) => socket.write('raw'),
  'text with a callback': (socket, log) => socket.write('raw', () => log('socket', 'written')),
  octets: (socket) => socket.write(small),
  'text in another encoding': (socket) => socket.write('6d6f7265', 'hex'),
  'nothing, with a callback': (socket, log) => socket.write('', () => log('socket', 'written')),
  'text after a full buffer': (socket) => {
    socket.write('x'.repeat(socket.writableHighWaterMark));
    socket.write('raw');
  },
  ...(TICKS_ARE_CHUNKS ? {} : { 'a method of its own for many writes': listenToWritev }),
};

/** Where the parts of a tick are one chunk, the engine has one write, not many. */
function listenToWritev(socket: Socket, log: Log): void {
  const own = socket._writev!;
  socket._writev = (chunks, callback) => {
    log('socket', '_writev');
    Reflect.deleteProperty(socket, '_writev');
    own.call(socket, chunks, callback);
  };
}

const besides: Scenario[] = Object.entries(onSocket).map(([what, use]) => ({
  name: `on the socket between two parts: ${what}`,
  send: get,
  then: 'follow',
  handler: (req, res, log) => {
    watch(req, res, log);
    const socket = res.socket!;
    socket.on('drain', () => log('socket', 'drain'));
    res.write('first');
    use(socket, log);
    state(res, log, 'used');
    res.write('second');
    res.end('last');
    state(res, log, 'ended');
    log('socket', 'bytesWritten', socket.bytesWritten);
  },
})) as Scenario[];

/** Large parts that the kernel takes at once, and an end() before the socket emits 'drain': Node 26 emits 'drain' at the end of the tick. */
const drained: Scenario[] = Object.entries({
  'a large text': 'x'.repeat(70_000),
  'a large text in UTF-8': '€'.repeat(40_000),
  'large octets': large,
}).flatMap(([what, part]) =>
  [1, 2, 3].map((ticks) => ({
    name: `'drain' of ${what}, with end() ${ticks} ${ticks === 1 ? 'tick' : 'ticks'} behind it`,
    send: get,
    handler: (req, res, log) => {
      watch(req, res, log);
      res.on('drain', () => log('res', 'drain', [res.writableEnded, res.writableLength, res.writableNeedDrain]));
      log('res', 'write', res.write(part));
      const inTicks = (left: number): void => process.nextTick(() => (left > 1 ? inTicks(left - 1) : res.end()));
      inTicks(ticks);
    },
  })),
);

const destroyed: Scenario[] = ['req', 'res', 'socket'].map((which) => ({
  name: `no 'drain' of a large part whose ${which} is destroyed in its tick`,
  send: get,
  answers: 0,
  ignoreWire: true,
  then: 'wait',
  handler: (req, res, log) => {
    watch(req, res, log);
    res.on('drain', () => log('res', 'drain', res.destroyed));
    const socket = res.socket!;
    log('res', 'write', res.write('x'.repeat(70_000)));
    ({ req, res, socket })[which]!.destroy();
  },
}));

const ended: Scenario[] = [20_000, 70_000].map((size) => ({
  name: `a part of ${size} characters, and socket.end() in its tick`,
  send: get,
  answers: 0,
  ignoreWire: true,
  then: 'wait',
  handler: (req, res, log) => {
    watch(req, res, log);
    const note = (when: string): void => log('res', when, [res.writableLength, res.writableNeedDrain]);
    res.on('drain', () => note('drain'));
    log('res', 'write', res.write('x'.repeat(size)));
    res.socket!.end();
    process.nextTick(() => {
      note('a tick later');
      setImmediate(() => (note('a turn later'), res.end()));
    });
  },
}));

const socketActs: Record<string, (socket: NonNullable<http.ServerResponse['socket']>) => unknown> = {
  'destroy()': (socket) => socket.destroy(),
  'end()': (socket) => socket.end(),
  'write()': (socket) => socket.write('0\r\n\r\n'),
  'cork()': (socket) => {
    socket.cork();
    setImmediate(() => socket.uncork());
  },
};

const withSocket: Scenario[] = Object.entries(socketActs).flatMap(([what, act]) =>
  ['before', 'behind'].map((when) => ({
    name: `socket.${what} ${when} a part`,
    send: get,
    answers: 0,
    then: 'wait',
    handler: async (_, res, log) => {
      const socket = res.socket!;
      socket.on('close', () => log('socket', 'close'));
      if (when === 'before') act(socket);
      log('res', 'write', res.write('part'));
      if (when === 'behind') act(socket);
      await later();
      log('res', 'later', res.write('more'));
      res.end();
      await later();
      socket.destroy();
    },
  })),
) as Scenario[];

const others: Scenario[] = [
  {
    name: 'parts of pipelined answers stay in order',
    send: get.replace('/', '/1') + get.replace('/', '/2') + get.replace('/', '/3'),
    answers: 3,
    handler: async (req, res) => {
      if (req.url === '/1') await later();
      res.write(`first of ${req.url}`);
      if (req.url === '/2') await later();
      res.write(medium);
      res.end('last');
    },
  },
  {
    name: 'a pipelined answer in parts after a whole one, both in one read',
    send: get.replace('/', '/1') + get.replace('/', '/2'),
    answers: 2,
    handler: (req, res) => {
      if (req.url === '/1') return void res.end('whole');
      // Only the length, because chunks may be cut differently (docs/compat).
      res.setHeader('Content-Length', 8);
      res.write('in');
      res.write(' parts');
      return void res.end();
    },
  },
  {
    name: 'a whole answer after one in parts, both in one read',
    send: get.replace('/', '/1') + get.replace('/', '/2'),
    answers: 2,
    handler: (req, res) => {
      if (req.url === '/2') return void res.end('whole');
      res.write('in');
      res.write(' parts');
      return void res.end();
    },
  },
  {
    name: "the writer of a large answer gets 'drain'",
    send: get,
    // On a busy machine the client needs longer for so many octets than an idle connection stays open by default.
    setup: (server) => void (server.keepAliveTimeout = 60_000),
    handler: async (req, res, log) => {
      watch(req, res, log);
      let waits = 0;
      for (let sent = 0; sent < HUGE; sent += large.length) {
        if (res.write(large)) continue;
        waits++;
        if (!res.writableNeedDrain) log('res', 'does not say that it needs room');
        await new Promise((resolve) => res.once('drain', resolve));
        if (res.writableNeedDrain) log('res', 'says that it needs room');
      }
      log('res', 'waited', waits > 0);
      res.end();
    },
  },
  {
    name: 'uncork() without a cork before it',
    send: get,
    handler: (_, res, log) => {
      res.uncork();
      state(res, log, 'uncorked');
      res.write('one');
      state(res, log, 'written');
      res.write('two');
      res.end('three');
      state(res, log, 'ended');
    },
  },
  {
    name: 'octets and characters are counted apart',
    send: get,
    handler: async (req, res, log) => {
      watch(req, res, log);
      for (let i = 0; i < 20; i++) {
        if (res.write('€'.repeat(8000))) continue;
        await new Promise((resolve) => res.once('drain', resolve));
      }
      res.end();
    },
  },
  {
    name: 'octets whose memory grows behind write()',
    send: get,
    handler: (_, res) => {
      const memory = Reflect.construct(SharedArrayBuffer, [10, { maxByteLength: 20 }]) as SharedArrayBuffer;
      res.write(new Uint8Array(memory).fill(0x61));
      (memory as unknown as { grow(length: number): void }).grow(20);
      res.end('end');
    },
  },
  {
    name: 'the client goes away during the answer',
    ignoreWire: true,
    talk: async (client) => {
      await client.send(get);
      await client.untilReceived('first');
      client.drop();
    },
    handler: (req, res, log) => {
      watch(req, res, log);
      res.on('error', (error: NodeJS.ErrnoException) => log('res', 'error', error.code));
      res.write('first');
      res.on('close', () => {
        log('res', 'later', [res.destroyed, res.writableEnded, res.writableFinished, res.write('too late')]);
        res.end();
      });
    },
  },
  {
    name: 'a handler that throws after a part',
    send: get,
    answers: 0,
    then: 'wait',
    handler: (_, res) => {
      res.write('part');
      setImmediate(() => res.destroy(new Error('broken')));
    },
  },
];

const corks: Record<string, (res: http.ServerResponse, socket: Socket) => unknown> = {
  'cork() behind a part and the end': (res) => {
    res.write('part');
    res.end('end');
    res.cork();
  },
  'corks of the socket behind a part and the end': (res, socket) => {
    res.write('part');
    res.end('end');
    socket.cork();
    socket.cork();
  },
  'cork() behind the end': (res) => {
    res.end('end');
    res.cork();
  },
  'cork() in the tick behind the end': (res) => {
    res.end('end');
    process.nextTick(() => res.cork());
  },
  'uncork() of the socket between two parts': (res, socket) => {
    res.write('part');
    socket.uncork();
    res.write('more');
    res.write('and more');
  },
  'uncork() of the socket and cork() between parts': (res, socket) => {
    res.write('part');
    socket.uncork();
    res.write('more');
    res.cork();
    res.write('and more');
    setImmediate(() => res.uncork());
  },
  'uncork() between an empty part and octets': (res) => {
    res.write('');
    res.uncork();
    res.write(small);
  },
  'more uncork() than cork()': (res) => {
    res.write('part');
    res.uncork();
    res.uncork();
    res.write('more');
  },
};

/** The second request is invalid and shows whether the socket is still corked: then its refusal is lost, as under node. */
const corking: Scenario[] = Object.entries(corks).map(([name, act]) => {
  let played: Promise<unknown> = Promise.resolve();
  const handle = async (res: http.ServerResponse, socket: Socket, log: Log): Promise<void> => {
    const note = (when: string): void => log('state', when, [res.writableCorked, socket.writableCorked]);
    act(res, socket);
    note('at once');
    process.nextTick(note, 'a tick later');
    process.nextTick(() => process.nextTick(note, 'two ticks later'));
    await later();
    note('a turn later');
    if (!res.writableEnded) res.end();
    note('ended');
    await later();
    note('two turns later');
  };
  return {
    name,
    handler: (_, res, log) => (played = handle(res, res.socket!, log)),
    talk: async (client, { server }) => {
      const asked = once(server, 'request');
      await client.send(get);
      await asked;
      await played;
      await client.send('no request\r\n\r\n');
      await client.untilClose();
    },
  };
});

eachSameThroughBothDoors([
  ...tables,
  ...turning,
  ...besides,
  ...withSocket,
  ...drained,
  ...destroyed,
  ...ended,
  ...corking,
  ...others,
]);
