import assert = require('node:assert/strict');
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type http = require('node:http');
import net = require('node:net');
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { maskDate } from '../support/both-doors.js';
import { doors, type Door } from '../support/doors.js';

/*
 * A program can send the socket of a connection to another process, as @socket.io/sticky does in the primary of a cluster. node frees its parser
 * then, so that nothing is left of the connection here.
 */

/** Answers on each socket that it is sent. */
const OTHER_PROCESS = `
  process.on('message', (answer, socket) => socket.end(answer));
  process.send('ready');
`;
const ANSWER = 'answer of the other process';

let other: ChildProcess;

before(async () => {
  other = spawn(process.execPath, ['-e', OTHER_PROCESS], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  await once(other, 'message');
});

after(() => other.kill());

type Log = (event: string, detail?: unknown) => void;
type Send = (socket: net.Socket) => void;

interface Sending {
  readonly name: string;
  readonly octets: string;
  readonly setup: (server: http.Server, send: Send, log: Log) => void;
}

const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const halfPost = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 8\r\n\r\nhalf';

function logEvents(req: http.IncomingMessage, res: http.ServerResponse, log: Log): void {
  for (const event of ['end', 'aborted', 'error', 'close']) req.on(event, () => log(`req ${event}`));
  for (const event of ['prefinish', 'finish', 'error', 'close']) res.on(event, () => log(`res ${event}`));
}

function logEnd(res: http.ServerResponse, log: Log): void {
  log('end', [res.end('half').writableEnded, res.writableFinished, res.headersSent, res.destroyed]);
}

const sendings: readonly Sending[] = [
  {
    name: 'as soon as it is open',
    octets: '',
    setup: (server, send) => server.on('connection', send),
  },
  {
    name: 'by the only listener for its data',
    octets: get,
    setup: (server, send) => {
      server.on('connection', (socket) => socket.removeAllListeners('data').once('data', () => send(socket)));
    },
  },
  {
    name: 'by one more listener for its data, so that there is a request that nobody answers',
    octets: get,
    setup: (server, send, log) => {
      server.on('connection', (socket) => socket.once('data', () => send(socket)));
      server.on('request', (req, res) => logEvents(req, res, log));
    },
  },
  {
    name: 'by the handler of a request, which does not answer',
    octets: get,
    setup: (server, send, log) => {
      server.on('request', (req, res) => {
        logEvents(req, res, log);
        send(req.socket);
        log('after', [res.socket === null, req.complete]);
      });
    },
  },
  {
    name: 'by the handler of a request, which answers later',
    octets: get,
    setup: (server, send, log) => {
      server.on('request', (req, res) => {
        logEvents(req, res, log);
        send(req.socket);
        setImmediate(() => {
          res.setHeader('X-Late', 'yes');
          logEnd(res, log);
        });
      });
    },
  },
  {
    name: 'by the handler of a request, which has sent a part of its answer',
    octets: get,
    setup: (server, send, log) => {
      server.on('request', (req, res) => {
        logEvents(req, res, log);
        res.writeHead(200, { 'Content-Length': 8 });
        res.write('half', () => {
          send(req.socket);
          setImmediate(logEnd, res, log);
        });
      });
    },
  },
  {
    name: 'in the middle of a body',
    octets: halfPost,
    setup: (server, send, log) => {
      server.on('request', (req, res) => {
        logEvents(req, res, log);
        req.once('data', () => send(req.socket));
      });
    },
  },
];

interface Outcome {
  /** What each client received. */
  readonly answers: readonly string[];
  /** The codes of the errors of `'clientError'`; there is one, of a connection that is not sent. */
  readonly faults: readonly unknown[];
  /** What listeners of the sent sockets and their messages heard. */
  readonly events: readonly unknown[];
  /** The number of sent sockets, and of those that something still refers to. */
  readonly sent: number;
  readonly left: number;
  /** Whether the server emits `'close'`. */
  readonly closes: boolean;
}

const COUNT = 4;
const HEADERS_TIMEOUT = 20;
const PATIENCE = 5000;

async function connect(server: http.Server, octets: string): Promise<net.Socket> {
  const client = net.connect((server.address() as net.AddressInfo).port, '127.0.0.1');
  await once(client, 'connect');
  client.write(octets);
  return client;
}

/** Opens a connection that sends nothing, and waits for its end by a deadline: that of older connections has passed then, too. */
async function untilDeadlines(server: http.Server): Promise<void> {
  const silent = await connect(server, '');
  server.headersTimeout = HEADERS_TIMEOUT;
  server.requestTimeout = HEADERS_TIMEOUT;
  await once(silent.resume(), 'close');
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** @returns the number of objects that are still there after several collections */
async function alive(all: readonly WeakRef<object>[]): Promise<number> {
  for (let i = 0; i < 20 && all.some((each) => each.deref() !== undefined); i++) {
    await turn();
    collectGarbage();
  }
  return all.filter((each) => each.deref() !== undefined).length;
}

/** Whether `server` closes. It does not if it has counted the end of a connection twice, which has no event: hence the limit. */
function closes(server: http.Server): Promise<boolean> {
  const closed = once(server, 'close', { signal: AbortSignal.timeout(PATIENCE) });
  server.close();
  return closed.then(
    () => true,
    () => false,
  );
}

/** Sends some connections of one server to the other process. @returns what each client got, and what was left here */
async function play(door: Door, { octets, setup }: Sending): Promise<Outcome> {
  const server = door.createServer({ connectionsCheckingInterval: HEADERS_TIMEOUT });
  const events: unknown[] = [];
  const log: Log = (event, detail) => events.push(detail === undefined ? event : [event, detail]);
  const faults: unknown[] = [];
  const sent: WeakRef<net.Socket>[] = [];
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    faults.push(error.code);
    socket.destroy();
  });
  const send: Send = (socket) => {
    for (const event of ['error', 'close']) socket.on(event, () => log(`socket ${event}`));
    other.send(ANSWER, socket);
    sent.push(new WeakRef(socket));
  };
  setup(server, send, log);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const answers: string[] = [];
    for (let i = 0; i < COUNT; i++) {
      const client = await connect(server, octets);
      answers.push(maskDate(Buffer.from(await text(client))));
    }
    server.removeListener('connection', send);
    await untilDeadlines(server);
    const left = await alive(sent);
    server.closeIdleConnections();
    server.closeAllConnections();
    await turn();
    return { answers, faults, events, sent: sent.length, left, closes: await closes(server) };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

for (const sending of sendings) {
  test(`nothing is left of a connection that is sent to another process ${sending.name}`, async () => {
    const [oracle, engine] = doors;
    const expected = await play(oracle, sending);
    assert.ok(expected.answers.every((answer) => answer.endsWith(ANSWER)));
    assert.deepEqual([expected.sent, expected.left, expected.faults.length, expected.closes], [COUNT, 0, 1, true]);
    assert.deepEqual(await play(engine, sending), expected);
  });
}

/** A connection's socket, as a listener for `'connection'` that is behind the engine's finds it. */
async function accepted(server: http.Server): Promise<net.Socket & { parser?: unknown }> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const connected = once(server, 'connection');
  const client = await connect(server, '');
  const [socket] = (await connected) as [net.Socket];
  socket.once('close', () => client.destroy());
  return socket;
}

test('socket.parser is undefined on a connection of the engine, and takes what node puts there', async () => {
  const [, { createServer }] = doors;
  const server = createServer({});
  const socket = await accepted(server);
  try {
    assert.equal(socket.parser, undefined);
    assert.ok(!Object.keys(socket).includes('parser'));
    const parser = {};
    socket.parser = parser;
    assert.equal(socket.parser, parser);
    assert.ok(Object.keys(socket).includes('parser'));
  } finally {
    socket.destroy();
    server.close();
  }
});

for (const { name, createServer } of doors)
  test(`${name}: socket.setTimeout() is that of the prototype of now, and one of the program's own stays`, async () => {
    const { setTimeout: usual } = net.Socket.prototype;
    const server = createServer({});
    const own = (): never => assert.fail('nobody calls it');
    let first = true;
    server.prependListener('connection', (socket: net.Socket) => {
      if (!first) socket.setTimeout = own;
      first = false;
    });
    const socket = await accepted(server);
    const calls: unknown[] = [];
    net.Socket.prototype.setTimeout = function setTimeout(...given) {
      calls.push([this === socket, ...given]);
      return usual.apply(this, given);
    };
    try {
      assert.equal(socket.setTimeout(50), socket);
      assert.deepEqual(calls, [[true, 50]]);
      assert.equal(socket.timeout, 50);
    } finally {
      net.Socket.prototype.setTimeout = usual;
    }
    const again = once(server, 'connection');
    const client = await connect(server, '');
    try {
      const [second] = (await again) as [net.Socket];
      assert.equal(second.setTimeout, own);
    } finally {
      client.destroy();
      socket.destroy();
      server.close();
    }
  });
