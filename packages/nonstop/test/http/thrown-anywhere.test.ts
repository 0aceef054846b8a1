import assert = require('node:assert/strict');
import type http = require('node:http');
import net = require('node:net');
import { after, before, describe, test } from 'node:test';
import { maskDate } from '../support/both-doors.js';
import { doors, type Door } from '../support/doors.js';

// The program throws somewhere, and the process goes on. Each row of POINTS throws in one place, for the request `/throws`, and is played with each
// row of REQUESTS: the client must get the same octets from both engines, on that connection, where two more requests follow, and on another one;
// the program must be told the same; and the connections that close() leaves open must be the same.

interface Turn {
  readonly req: http.IncomingMessage;
  readonly res: http.ServerResponse;
  /** Throws. */
  readonly fail: () => never;
}

interface Point {
  /** Answers the request `/throws`; answered with a short text if undefined. */
  readonly handle?: (turn: Turn) => unknown;
  /** Runs before the server listens. */
  readonly setup?: (server: http.Server, fail: () => never) => void;
  /** The requests to play it with; all that are not for one point alone if undefined. */
  readonly requests?: readonly string[];
}

const GET = 'GET /throws HTTP/1.1\r\nHost: a\r\n\r\n';
const POST = 'POST /throws HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n';
const CHUNKED = 'POST /throws HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';

/** The pieces that the client sends, each when nothing happens any more behind the one before. */
const REQUESTS: Readonly<Record<string, readonly string[]>> = {
  'one request': [GET],
  'the first of two requests': [GET + 'GET /next HTTP/1.1\r\nHost: a\r\n\r\n'],
  'the second of two requests': ['GET /first HTTP/1.1\r\nHost: a\r\n\r\n' + GET],
  'a request of HTTP/1.0': ['GET /throws HTTP/1.0\r\nConnection: keep-alive\r\n\r\n'],
  'a HEAD request': ['HEAD /throws HTTP/1.1\r\nHost: a\r\n\r\n'],
  'a POST': [POST + 'body'],
  'a POST in parts': [POST, 'bo', 'dy'],
  'a large POST': [`POST /throws HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n${'b'.repeat(100_000)}`],
  'a POST with trailers': [CHUNKED + '4\r\nbody\r\n0\r\nT: 1\r\n\r\n'],
  'a request with Expect': [
    'POST /throws HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n',
    'body',
  ],
  'an upgrade': ['GET /throws HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: y\r\n\r\n', 'octets'],
  'a request and garbage': [GET + '*\r\n\r\n'],
};
const OF_ONE_POINT = new Set(['an upgrade', 'a request and garbage']);
const WITHOUT_BODY = Object.keys(REQUESTS).slice(0, 5);

const soon = (res: http.ServerResponse): void =>
  void setImmediate(() => {
    if (!res.writableEnded) res.end('later');
  });

/** Read to its end, then answered. */
const reads = ({ req, res }: Turn): void => void req.on('end', () => res.end('read')).resume();

/** A listener that throws at its first call. */
const atFirst = (emitter: NodeJS.EventEmitter, event: string, fail: () => never): void =>
  void emitter.once(event, fail);

const evil = (fail: () => never): never => ({ toString: fail }) as never;

/** Replaces a method by one that throws at its first call. */
function breaks(object: object, name: string, fail: () => never): void {
  const methods = object as Record<string, unknown>;
  methods[name] = (): never => {
    delete methods[name];
    return fail();
  };
}

// In a tick in the middle of a read node's parser does not recover (docs/compat): without a body there are none.
const inTicks = { requests: WITHOUT_BODY };

// A body of a response that waits is looked at when its turn comes, under node.
const inTurn = { requests: ['one request', 'the first of two requests', 'a request of HTTP/1.0', 'a POST'] };

const POINTS: Readonly<Record<string, Point>> = {
  'the handler': { handle: ({ fail }) => fail() },
  'the handler, whose request is read to its end': {
    handle: (turn) => {
      reads(turn);
      turn.fail();
    },
  },
  'the handler, behind setHeader()': {
    handle: ({ res, fail }) => {
      res.setHeader('X-A', '1');
      soon(res);
      fail();
    },
  },
  'the handler, behind writeHead()': {
    handle: ({ res, fail }) => {
      res.writeHead(201, { 'X-A': '1' });
      soon(res);
      fail();
    },
  },
  'the handler, behind write()': {
    handle: ({ res, fail }) => {
      res.write('part');
      soon(res);
      fail();
    },
  },
  'the handler, behind cork()': {
    handle: ({ res, fail }) => {
      res.cork();
      res.write('part');
      soon(res);
      fail();
    },
  },
  'the handler, behind end()': {
    handle: ({ res, fail }) => {
      res.end('answer');
      fail();
    },
  },
  'the handler, behind a large end()': {
    handle: ({ res, fail }) => {
      res.end(Buffer.alloc(200_000, 'l'));
      fail();
    },
  },
  'the handler, behind an end() that closes': {
    handle: ({ res, fail }) => {
      res.setHeader('Connection', 'close').end('answer');
      fail();
    },
  },
  'the handler, behind destroy() of its request': {
    handle: ({ req, fail }) => {
      req.destroy();
      fail();
    },
  },
  'the handler, behind writeContinue()': {
    handle: ({ res, fail }) => {
      res.writeContinue();
      soon(res);
      fail();
    },
  },
  'a promise of the handler': {
    ...inTicks,
    handle: ({ fail }) => void Promise.resolve().then(() => queueMicrotask(fail)),
  },
  'a tick': {
    ...inTicks,
    handle: ({ res, fail }) => {
      process.nextTick(fail);
      res.end('answer');
    },
  },
  'a tick without an answer': { ...inTicks, handle: ({ fail }) => process.nextTick(fail) },
  'two ticks': {
    ...inTicks,
    handle: ({ res, fail }) => {
      process.nextTick(fail);
      process.nextTick(fail);
      soon(res);
    },
  },
  'setImmediate()': {
    handle: ({ res, fail }) => {
      setImmediate(fail);
      res.end('answer');
    },
  },
  "a listener for the request's 'end'": {
    handle: (turn) => {
      atFirst(turn.req, 'end', turn.fail);
      reads(turn);
    },
  },
  "a listener for the request's 'end', behind the answer": {
    handle: ({ req, res, fail }) =>
      void req.resume().on('end', () => {
        res.end('answer');
        fail();
      }),
  },
  "a listener for the request's 'close'": {
    handle: (turn) => {
      atFirst(turn.req, 'close', turn.fail);
      reads(turn);
    },
  },
  ...Object.fromEntries(
    ['prefinish', 'finish', 'close'].flatMap((event): [string, Point][] => [
      [
        `a listener for the response's '${event}'`,
        {
          handle: ({ req, res, fail }) => {
            req.resume();
            atFirst(res, event, fail);
            soon(res);
          },
        },
      ],
      [
        `a listener for the response's '${event}', with an answer in parts`,
        {
          ...inTicks,
          handle: ({ res, fail }) => {
            atFirst(res, event, fail);
            res.write('one');
            res.end('two');
          },
        },
      ],
    ]),
  ),
  'the callback of end()': { ...inTicks, handle: ({ res, fail }) => res.end('answer', fail) },
  'the callback of a second end()': {
    handle: ({ res, fail }) => {
      res.end('answer');
      setImmediate(() => res.end(fail));
    },
  },
  'the callback of write()': {
    ...inTicks,
    handle: ({ res, fail }) => {
      res.write('part', fail);
      soon(res);
    },
  },
  'the callback of write() and end()': {
    ...inTicks,
    handle: ({ res, fail }) => {
      res.write('part', fail);
      res.end();
    },
  },
  'the callback of setTimeout()': {
    handle: ({ res, fail }) =>
      res.setTimeout(1, () => {
        soon(res);
        fail();
      }),
  },
  "a listener for the socket's 'drain'": {
    ...inTicks,
    handle: ({ req, res, fail }) => {
      atFirst(req.socket, 'drain', fail);
      res.end('l'.repeat(300_000));
    },
  },
  "a listener for the response's 'drain'": {
    // With one behind it, Node 20 emits 'drain' inside the next handler's end().
    requests: ['one request', 'the second of two requests', 'a request of HTTP/1.0'],
    handle: ({ res, fail }) => {
      res.once('drain', () => {
        soon(res);
        fail();
      });
      if (res.write('l'.repeat(300_000))) soon(res);
    },
  },
  ...Object.fromEntries(
    ['setHeader', 'writeHead', 'write', 'end', '_implicitHeader', 'emit'].map((name): [string, Point] => [
      `res.${name}, which is replaced`,
      {
        ...inTicks,
        handle: ({ res, fail }) => {
          breaks(res, name, fail);
          soon(res);
          res.setHeader('X-A', '1');
          res.write('part');
          res.end();
        },
      },
    ]),
  ),
  'socket.write, which is replaced': {
    handle: ({ req, res, fail }) => {
      breaks(req.socket, 'write', fail);
      res.end('answer');
    },
  },
  'the value of setHeader()': {
    handle: ({ res, fail }) => {
      soon(res);
      res.setHeader('X-A', evil(fail));
    },
  },
  'the value of a field of writeHead()': {
    handle: ({ res, fail }) => {
      soon(res);
      res.writeHead(201, { 'X-A': '1', 'X-B': evil(fail) });
    },
  },
  'a trailer': {
    handle: ({ res, fail }) => {
      soon(res);
      res.addTrailers({ 'X-A': evil(fail) });
    },
  },
  'the body, whose memory was transferred': {
    ...inTurn,
    handle: ({ res, fail }) => {
      const body = new Uint8Array(8);
      structuredClone(body.buffer, { transfer: [body.buffer] });
      soon(res);
      try {
        res.end(body);
      } catch {
        fail();
      }
    },
  },
  'the value of an item that a list got behind setHeader()': {
    ...inTurn,
    handle: ({ res, fail }) => {
      const list = ['a'];
      res.setHeader('X-A', list);
      list.push(Symbol('no text') as never);
      try {
        res.end('answer');
      } catch {
        list.pop();
        soon(res);
        fail();
      }
    },
  },
  "a listener for 'connection'": { setup: (server, fail) => void server.once('connection', fail) },
  "a second listener for 'request'": { setup: (server, fail) => void server.once('request', fail) },
  "a listener for 'listening'": { setup: (server, fail) => void server.once('listening', fail) },
  "a listener for 'close' of the server": { setup: (server, fail) => void server.prependOnceListener('close', fail) },
  "a listener for 'dropRequest'": {
    requests: WITHOUT_BODY,
    setup: (server, fail) => {
      server.maxRequestsPerSocket = 1;
      server.once('dropRequest', fail);
    },
  },
  "a listener for 'checkContinue'": {
    requests: ['a request with Expect'],
    setup: (server, fail) => void server.once('checkContinue', fail),
  },
  "a listener for 'upgrade'": {
    requests: ['an upgrade'],
    setup: (server, fail) => void server.once('upgrade', fail),
  },
  "a listener for the 'data' of an upgraded socket": {
    requests: ['an upgrade'],
    setup: (server, fail) => void server.on('upgrade', (_req, socket: net.Socket) => atFirst(socket, 'data', fail)),
  },
  "a listener for 'clientError'": {
    requests: ['a request and garbage'],
    setup: (server, fail) => void server.once('clientError', fail),
  },
  "a listener for 'clientError', behind its answer": {
    requests: ['a request and garbage'],
    setup: (server, fail) =>
      void server.once('clientError', (_error, socket: net.Socket) => {
        socket.end('HTTP/1.1 400 Mine\r\n\r\n');
        fail();
      }),
  },
};

/** What was seen of a point with one kind of request. */
interface Seen {
  /** What the client got, connection by connection. */
  readonly got: string[];
  readonly heard: string[];
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Counts what happens in any of the plays that run at the same time. */
let happenings = 0;

let waiting: Promise<void> | undefined;

/** Waits until nothing has happened for some turns, in all plays together. */
function quiet(): Promise<void> {
  happenings++;
  waiting ??= silence().finally(() => (waiting = undefined));
  return waiting;
}

async function silence(): Promise<void> {
  for (let before = -1; before !== happenings;) {
    before = happenings;
    for (let i = 0; i < 8; i++) {
      await turn();
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
}

class Client {
  got = '';
  readonly socket: net.Socket;

  constructor(server: http.Server) {
    this.socket = net.connect((server.address() as net.AddressInfo).port, '127.0.0.1').setNoDelay(true);
    const note = (text: string): void => {
      happenings++;
      this.got += text;
    };
    this.socket.on('data', (data: Buffer) => note(data.toString('latin1')));
    this.socket.on('end', () => note('<end>')).on('error', () => note('<error>'));
  }

  send(text: string): void {
    if (this.socket.writable) this.socket.write(text, 'latin1');
  }
}

/** What each play that runs now is told, by its name. */
const running = new Map<string, (what: string) => void>();

async function play(door: Door, name: string, point: Point, pieces: readonly string[]): Promise<Seen> {
  const heard: string[] = [];
  running.set(name, (what) => {
    happenings++;
    heard.push(what);
  });
  const say = running.get(name)!;
  const fail = (): never => {
    throw new Error(name);
  };
  const server = door.createServer({ connectionsCheckingInterval: 20 }, (req, res) => {
    say(`${req.method} ${req.url}`);
    if (req.url === '/throws' && point.handle !== undefined) void point.handle({ req, res, fail });
    else res.end(`answer to ${req.url}`);
  });
  point.setup?.(server, fail);
  server.listen(0, '127.0.0.1');
  while (server.address() === null) await turn();
  const [one, other] = [new Client(server), new Client(server)];
  for (const piece of [...pieces, ...['/two', '/three'].map((url) => `GET ${url} HTTP/1.1\r\nHost: a\r\n\r\n`)]) {
    await quiet();
    one.send(piece);
  }
  await quiet();
  other.send('GET /other HTTP/1.1\r\nHost: a\r\n\r\n');
  await quiet();
  server.close(() => say('closed'));
  // Connections whose answer never finishes are closed by a timer.
  for (let i = 0; i < 5; i++) await quiet();
  server.closeAllConnections();
  say('closed all');
  await quiet();
  for (const { socket } of [one, other]) socket.destroy();
  await quiet();
  const open = await new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
  say(`${String(open)} connections`);
  running.delete(name);
  return { got: [one, other].map(({ got }) => maskDate(Buffer.from(got, 'latin1'))), heard };
}

const kinds = (point: Point): string[] =>
  Object.keys(REQUESTS).filter((kind) => point.requests?.includes(kind) ?? !OF_ONE_POINT.has(kind));

/** Plays points with all their requests at the same time. */
async function playAll(door: Door, names: readonly string[]): Promise<Map<string, Record<string, Seen>>> {
  const plays = names.map(async (name) => {
    const seen = kinds(POINTS[name]).map(
      async (kind) => [kind, await play(door, `${name}: ${kind}`, POINTS[name], REQUESTS[kind])] as const,
    );
    return [name, Object.fromEntries(await Promise.all(seen))] as const;
  });
  return new Map(await Promise.all(plays));
}

/** The plays of a busy machine may be cut short: a point that differs is played again. */
const MOST_PLAYS = 3;
const AT_ONCE = 12;

describe('the program throws in', () => {
  before(() => {
    process.setUncaughtExceptionCaptureCallback((error: unknown) => {
      const { message } = error as Error;
      running.get(message)?.('uncaught');
    });
  });
  after(() => process.setUncaughtExceptionCaptureCallback(null));

  const names = Object.keys(POINTS);
  for (let at = 0; at < names.length; at += AT_ONCE) {
    const some = names.slice(at, at + AT_ONCE);
    const results = doors.map(() => new Map<string, Record<string, Seen>>());
    before(async () => {
      for (const [i, door] of doors.entries()) results[i] = await playAll(door, some);
    });
    for (const name of some) {
      test(name, async () => {
        let [oracle, engine] = results.map((each) => each.get(name));
        assert.ok(
          Object.values(oracle!).some(({ heard }) => heard.includes('uncaught')),
          'nothing was thrown',
        );
        for (let plays = 1; plays < MOST_PLAYS && JSON.stringify(oracle) !== JSON.stringify(engine); plays++) {
          [oracle, engine] = [await playAll(doors[0], [name]), await playAll(doors[1], [name])].map((each) =>
            each.get(name),
          );
        }
        assert.deepEqual(engine, oracle);
      });
    }
  }
});
