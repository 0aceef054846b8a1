import type http = require('node:http');
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import assert = require('node:assert/strict');
import { EMPTY_REQUESTS_END_AT_ONCE } from '../../src/node/differences.js';
import { eachSameThroughBothDoors, watch, type Handler, type Log, type Scenario } from '../support/both-doors.js';

const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
type Act = (res: http.ServerResponse, log: Log) => unknown;

const attempt = (log: Log, what: string, run: () => unknown): void => {
  try {
    const value = run();
    log('tried', what, [value instanceof Object ? 'object' : value]);
  } catch (error) {
    log('tried', what, [(error as Error).name, (error as NodeJS.ErrnoException).code, (error as Error).message]);
  }
};
const told =
  (log: Log, what: string) =>
  (error?: NodeJS.ErrnoException | null): void =>
    log('callback', what, error?.code ?? 'no error');

/** With arguments that node's types forbid and programs pass nevertheless. */
const loose = (res: http.ServerResponse): Record<'write' | 'end', (...args: unknown[]) => unknown> => res as never;

function transferred(): Uint8Array {
  const array = new Uint8Array(8);
  structuredClone(array.buffer, { transfer: [array.buffer] });
  return array;
}

const acts: Record<string, Act> = {
  'end()': (res) => res.end(),
  'end(string)': (res) => res.end('text'),
  'end(empty string)': (res) => res.end(''),
  'end(Buffer)': (res) => res.end(Buffer.from([0, 255, 128])),
  'end(Uint8Array)': (res) => res.end(new Uint8Array([1, 2, 3])),
  'end(empty Buffer)': (res) => res.end(Buffer.alloc(0)),
  'end(string, latin1)': (res) => res.end('caf\xe9', 'latin1'),
  'end(string, hex)': (res) => res.end('00ff10', 'hex'),
  'end(string, base64)': (res) => res.end('aGVsbG8=', 'base64'),
  'end(string, utf16le)': (res) => res.end('hi', 'utf16le'),
  'write(Buffer, callback), end(Buffer, callback)': (res, log) => {
    res.write(Buffer.from('one'), told(log, 'write'));
    res.end(Buffer.from('two'), told(log, 'end'));
  },
  'end(Buffer, latin1)': (res) => res.end(Buffer.from([0, 255]), 'latin1'),
  'end(Buffer, an encoding that does not exist)': (res, log) => {
    attempt(log, 'end', () => loose(res).end(Buffer.from('octets'), 202));
    attempt(log, 'end again', () => res.end());
  },
  'write(Buffer, an encoding that does not exist) of a known length': (res, log) => {
    res.setHeader('Content-Length', 6);
    attempt(log, 'write', () => loose(res).write(Buffer.from('octets'), 'latin-one'));
    attempt(log, 'end', () => res.end('octets'));
  },
  'end(string) with a status that is refused': (res, log) => {
    res.statusCode = 7;
    attempt(log, 'end', () => res.end('text'));
    log('socket', 'corked', res.socket?.writableCorked);
    res.statusCode = 200;
    res.end('text');
  },
  // The error of a body that cannot be read leaves the response as it was: an error handler can answer.
  'end(array whose memory was transferred)': (res, log) => {
    attempt(log, 'end', () => res.end(transferred()));
    log('res', 'ended', [res.writableEnded, res.finished]);
    res.end('fine');
  },
  'end(array whose memory was transferred) behind a part': (res, log) => {
    res.write('one');
    // Node 26 keeps the array and throws at the second end(), too. The text is V8's own, from another place.
    for (const body of [transferred(), 'two']) {
      try {
        res.end(body);
      } catch (error) {
        log('tried', (error as Error).name);
      }
      log('res', 'ended', [res.writableEnded, res.finished]);
    }
    if (!res.writableEnded) res.destroy();
  },
  'write(array whose memory was transferred)': (res, log) => {
    attempt(log, 'write', () => res.write(transferred()));
    res.end('fine');
  },
  'write(array whose memory was transferred), with a length': (res, log) => {
    res.setHeader('Content-Length', 4);
    attempt(log, 'write', () => res.write(transferred()));
    res.end('fine');
  },
  'end(array whose memory was transferred) without a body': (res) => {
    res.statusCode = 204;
    res.end(transferred());
  },
  'write(string) with a reason that is refused': (res, log) => {
    res.statusMessage = 'a\nb';
    attempt(log, 'write', () => res.write('text'));
    log('socket', 'corked', res.socket?.writableCorked);
    res.statusMessage = 'fine';
    res.end('text');
  },
  'end(UTF-8)': (res) => res.end('€ and 😀'),
  'end(lone surrogate)': (res) => res.end('a\ud800b'),
  'end(callback)': (res, log) => res.end(told(log, 'end')),
  'end(data, callback)': (res, log) => res.end('data', told(log, 'end')),
  'end(data, encoding, callback)': (res, log) => res.end('data', 'utf8', told(log, 'end')),
  'end(null)': (res) => res.end(null),
  'end(data, null, null)': (res) => loose(res).end('data', null, null),
  'end(null, null, null)': (res) => loose(res).end(null, null, null),
  'end(data, encoding, no function)': (res) => loose(res).end('data', 'utf8', 'callback'),
  'write(data, null, null)': (res) => {
    loose(res).write('data', null, null);
    loose(res).end('more', null, {});
  },
  'end(undefined, callback)': (res, log) => res.end(undefined, told(log, 'end')),
  'end twice': (res, log) => {
    res.end('one', told(log, 'first'));
    attempt(log, 'second', () => res.end());
    attempt(log, 'third', () => res.end('three', told(log, 'third')));
  },
  'end returns the response': (res, log) => log('res', 'same', res.end() === res),
  'write returns true': (res, log) => {
    log('res', 'write', res.write('x'));
    res.end();
  },
  'write callbacks in order': (res, log) => {
    res.write('a', told(log, 'a'));
    res.write('b', 'latin1', told(log, 'b'));
    res.write(Buffer.from('c'), told(log, 'c'));
    res.end('d', told(log, 'd'));
  },
  'write of mixed encodings': (res) => {
    res.write('caf\xe9', 'latin1');
    res.write('€', 'utf8');
    res.write('ff', 'hex');
    res.write(Buffer.from([0xfe]));
    res.end('=', 'ascii');
  },
  'empty writes': (res, log) => {
    log('res', 'empty', [res.write(''), res.write(Buffer.alloc(0))]);
    res.write('', told(log, 'empty'));
    res.end('x');
  },
  'only empty writes': (res) => {
    res.write('');
    res.end();
  },
  'write and end() empty': (res) => {
    res.write('x');
    res.end('');
  },
  'writes over ticks': (res) => {
    res.write('one');
    setImmediate(() => {
      res.write('two');
      process.nextTick(() => res.write('three'));
      setImmediate(() => res.end('four'));
    });
  },
  'flushHeaders, then a body': (res, log) => {
    res.flushHeaders();
    log('res', 'sent', res.headersSent);
    setImmediate(() => res.end('late'));
  },
  'flushHeaders with a length': (res) => {
    res.setHeader('Content-Length', 4);
    res.flushHeaders();
    setImmediate(() => res.end('late'));
  },
  'writeHead alone holds the head back': (res, log) => {
    res.writeHead(200, { 'X-A': '1' });
    log('res', 'sent', res.headersSent);
    setImmediate(() => res.end('late'));
  },
  'a length that fits': (res) => {
    res.setHeader('Content-Length', 6);
    res.write('abc');
    res.end('def');
  },
  'cork and uncork': (res, log) => {
    res.cork();
    res.write('a');
    res.write('b');
    log('res', 'corked', res.writableCorked);
    res.uncork();
    res.end('c');
  },
  'cork and end': (res) => {
    res.cork();
    res.write('a');
    res.write('b');
    res.end('c');
  },
  'write after end': (res, log) => {
    res.on('error', (error: NodeJS.ErrnoException) => log('res', 'error', error.code));
    res.end('done');
    attempt(log, 'write', () => res.write('more', told(log, 'write')));
  },
  'data of wrong types': (res, log) => {
    for (const [name, value] of Object.entries({
      null: null,
      undefined,
      number: 5,
      object: {},
      array: ['a'],
      boolean: true,
    })) {
      attempt(log, `write ${name}`, () => res.write(value));
    }
    attempt(log, 'end number', () => res.end(5));
    attempt(log, 'end object', () => res.end({}));
    if (!res.writableEnded) res.end('right');
  },
  'an unknown encoding': (res, log) => {
    attempt(log, 'write', () => res.write('x', 'nonsense' as never));
    if (!res.writableEnded) attempt(log, 'end', () => res.end());
  },
  'strictContentLength, too short': (res, log) => {
    res.strictContentLength = true;
    res.setHeader('Content-Length', 5);
    attempt(log, 'end', () => res.end('abc'));
    res.destroy();
  },
  'strictContentLength, too long': (res, log) => {
    res.strictContentLength = true;
    res.setHeader('Content-Length', 2);
    attempt(log, 'write', () => res.write('abc'));
    attempt(log, 'end', () => res.end('abc'));
    res.destroy();
  },
  'strictContentLength, exact': (res, log) => {
    res.strictContentLength = true;
    res.setHeader('Content-Length', 6);
    attempt(log, 'write', () => res.write('abc'));
    attempt(log, 'end', () => res.end('def'));
  },
  'destroy before the head': (res, log) => {
    res.destroy();
    log('res', 'state', [res.destroyed, res.writableEnded, res.headersSent]);
    attempt(log, 'write', () => res.write('x', told(log, 'write')));
    attempt(log, 'end', () => res.end('x', told(log, 'end')));
  },
  'destroy after a write': (res) => {
    res.write('part');
    res.destroy();
  },
  'destroy with an error': (res) => {
    res.destroy(new Error('broken'));
  },
  'destroy after end': (res) => {
    res.end('whole');
    res.destroy();
  },
  'pipe from a stream': (res) => Readable.from(['a', 'b', 'c']).pipe(res),
  'pipeline from a stream': async (res, log) => {
    await pipeline(Readable.from([Buffer.from('a'), Buffer.from('b')]), res);
    log('res', 'pipeline done', res.writableFinished);
  },
  'pipeline from a stream that fails': async (res, log) => {
    res.on('error', () => undefined);
    const broken = async function* (): AsyncGenerator<string> {
      yield 'a';
      throw new Error('source broke');
    };
    await pipeline(Readable.from(broken()), res).catch((error: Error) => log('res', 'pipeline failed', error.message));
  },
  'states of an answer in one piece': (res, log) => {
    const state = (when: string): void =>
      log('state', when, [res.writableEnded, res.writableFinished, res.writableLength, res.headersSent]);
    res.on('prefinish', () => state('prefinish'));
    res.on('finish', () => state('finish'));
    res.on('close', () => state('close'));
    res.end('x');
    state('ended');
  },
  'states on the way, of a known length': (res, log) => {
    const state = (when: string): void =>
      log('state', when, [res.headersSent, res.writableEnded, res.writableFinished, res.writableLength > 0]);
    res.on('prefinish', () => state('prefinish'));
    res.on('finish', () => state('finish'));
    res.setHeader('Content-Length', 5);
    log('written', 'one', res.write('on'));
    state('written');
    log('socket', 'corked', [res.socket?.writableCorked, res.writableCorked, res.writableNeedDrain]);
    process.nextTick(() => {
      state('a tick later');
      log('written', 'bytes', res.write(Buffer.from('\xe9', 'latin1')));
      setImmediate(() => {
        state('an event later');
        res.end('á');
        state('ended');
      });
    });
  },
  'a written piece and what is done to the socket': (res, log) => {
    res.setHeader('Content-Length', 1);
    res.setHeader('Connection', 'close');
    res.write('x');
    log('socket', 'written', res.socket?.bytesWritten !== 0);
    res.socket?.end();
    res.on('close', () => log('res', 'close', res.destroyed));
  },
  'an empty end after a written piece of a known length': (res, log) => {
    res.setHeader('Content-Length', 3);
    res.write('all');
    setImmediate(() => res.end(told(log, 'end')));
  },
  'a quiet empty end after a written piece': (res) => {
    res.setHeader('Content-Length', 3);
    res.write('all');
    setImmediate(() => res.end());
  },
  'written pieces of text that is not ASCII': (res) => {
    res.setHeader('Content-Length', 9);
    res.write('á€');
    res.write(Buffer.from('é'));
    setImmediate(() => res.end('€'.slice(1) + 'zz'));
  },
  'corking from the second piece on': (res, log) => {
    res.setHeader('Content-Length', 3);
    res.write('a');
    setImmediate(() => {
      attempt(log, 'cork', () => res.cork());
      res.write('b');
      res.uncork();
      res.end('c');
    });
  },
  'written pieces until the socket has enough': (res, log) => {
    res.setHeader('Content-Length', 160_000);
    const more: boolean[] = [];
    for (let i = 0; i < 40; i++) more.push(res.write('x'.repeat(4000)));
    log('res', 'more', [more, res.writableNeedDrain]);
    res.once('drain', () => {
      log('res', 'drained');
      res.end();
    });
  },
  'a large piece behind a small one': (res, log) => {
    res.setHeader('Content-Length', 10_001);
    log('res', 'small', res.write('x'));
    log('res', 'large', res.write('y'.repeat(10_000)));
    setImmediate(() => res.end());
  },
  'a trailer behind a written piece': (res) => {
    res.write('a');
    setImmediate(() => {
      res.addTrailers({ 'X-Last': '1' });
      res.end('b');
    });
  },
  'a piece where there is no body': (res, log) => {
    res.statusCode = 204;
    attempt(log, 'write', () => res.write('a'));
    res.end();
  },
  'states on the way': (res, log) => {
    const state = (when: string): void =>
      log('state', when, [
        res.headersSent,
        res.finished,
        res.writableEnded,
        res.writableFinished,
        res.writable,
        res.destroyed,
        res.closed,
        res.socket === null,
      ]);
    state('start');
    res.on('prefinish', () => state('prefinish'));
    res.on('finish', () => state('finish'));
    res.on('close', () => state('close'));
    res.write('x');
    state('written');
    res.end();
    state('ended');
  },
};

const endings: Scenario[] = Object.entries(acts).map(([name, act]) => ({
  name: `${name} does what node does`,
  send: get,
  then: 'follow',
  handler: (req, res, log) => {
    watch(req, res, log);
    return act(res, log);
  },
}));

const inHttp10: Scenario[] = [
  'end(string)',
  'writes over ticks',
  'flushHeaders, then a body',
  'a length that fits',
  'write and end() empty',
].map((name) => ({
  name: `${name} to an HTTP/1.0 client does what node does`,
  send: 'GET / HTTP/1.0\r\n\r\n',
  then: 'wait',
  answers: 0,
  handler: (_req, res, log) => acts[name](res, log),
}));

const flood: Handler = (req, res, log) => {
  const piece = Buffer.alloc(64 * 1024, 'f');
  let left = 160;
  let waited = false;
  const more = (): void => {
    while (left > 0) {
      left--;
      if (!res.write(piece)) {
        if (!waited) log('res', 'need drain', res.writableNeedDrain);
        waited = true;
        return void res.once('drain', more);
      }
    }
    log('res', 'waited', waited);
    res.end();
  };
  more();
};

const pressure: Scenario[] = [
  {
    name: 'a client that does not read stops the writer until it reads',
    handler: flood,
    talk: async (client, { server }) => {
      client.socket.pause();
      const full = new Promise<void>((resolve) =>
        server.once('request', (_req, res: http.ServerResponse) =>
          setImmediate(() => {
            assert.equal(res.writableNeedDrain, true);
            resolve();
          }),
        ),
      );
      await client.send(get);
      await full;
      client.socket.resume();
      const answer = await client.answer();
      assert.equal(answer.body.length, 160 * 64 * 1024);
      client.drop();
    },
  },
  {
    name: 'a client that hangs up during the answer closes it',
    ignoreWire: true,
    handler: (req, res, log) => {
      res.on('close', () => log('res', 'close', [res.writableFinished, res.destroyed]));
      res.on('finish', () => log('res', 'finish'));
      flood(req, res, () => undefined);
    },
    talk: async (client) => {
      client.socket.pause();
      await client.send(get);
      client.socket.resume();
      await client.untilReceived('200 OK');
      client.drop(true);
    },
  },
];
/** Calls after `end()`, in the same read, on a response without listeners. */
const behindTheEnd: Record<string, (res: http.ServerResponse, again: (how: Act) => void) => void> = {
  'in the same handler': (res, again) => {
    res.end('whole');
    again((r) => r.end('again'));
  },
  'by write() in the same handler': (res, again) => {
    res.end('whole');
    again((r) => r.write('again'));
  },
  "in the request's 'resume'": (res, again) => {
    res.req.on('resume', () => again((r) => r.end('again')));
    res.req.resume();
    res.end('whole');
  },
  "in the response's 'prefinish'": (res, again) => {
    res.once('prefinish', () => again((r) => r.end('again')));
    res.end('whole');
  },
};
/** An answer whose socket is already destroyed or ended. */
const tooLate: Scenario[] = (['destroy', 'end'] as const).flatMap((how) =>
  ['text', Buffer.from('octets'), undefined].map((body) => ({
    name: `end(${body === undefined ? '' : typeof body === 'string' ? 'string' : 'Buffer'}) behind ${how}() of its socket does what node does`,
    send: get,
    then: 'wait' as const,
    answers: 0,
    handler: (req: http.IncomingMessage, res: http.ServerResponse, log: Log) => {
      watch(req, res, log);
      res.on('prefinish', () => log('res', 'prefinish'));
      req.socket[how]();
      res.end(body);
      log('res', 'ended', [res.writableLength, res.writableFinished, res.headersSent]);
      setImmediate(() => log('res', 'later', [res.writableLength, res.writableFinished, res.destroyed]));
    },
  })),
);
/** Its first end has been reported by then, its close has not. */
const inBetween: Scenario = {
  name: "a second end in the request's 'resume', which its answer causes, reports its error to its callback",
  send: get,
  handler: (req, res, log) => {
    req.on('resume', () => res.end('again', told(log, 'again')));
    res.end('whole');
  },
  // Node 26.9 has closed the response by then, and does not call the callback.
  check: ({ events }) =>
    assert.deepEqual(
      events['callback'],
      EMPTY_REQUESTS_END_AT_ONCE ? undefined : [['again', 'ERR_STREAM_WRITE_AFTER_END']],
    ),
};
const unheard: Scenario[] = Object.entries(behindTheEnd).map(([name, act]) => ({
  name: `a second end ${name} reports its error to listeners that are added by the next tick`,
  send: get,
  handler: (_req, res, log) =>
    act(res, (how) => {
      // Before the tick that reports the error; during `end()` there is no listener.
      process.nextTick(() => res.on('error', (error: NodeJS.ErrnoException) => log('res', 'error', error.code)));
      how(res, log);
    }),
  check: ({ events }) => assert.deepEqual(events['res'], [['error', 'ERR_STREAM_WRITE_AFTER_END']]),
}));

eachSameThroughBothDoors([...endings, ...inHttp10, ...pressure, ...unheard, ...tooLate, inBetween]);
