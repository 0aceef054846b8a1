// node's parser runs ticks between the parts of a read if it reads the socket's handle itself. If other code reads the socket, or the
// connection is a stream without a handle, the parser is called from JavaScript, and ticks run when all of the read is handled.
import assert = require('node:assert/strict');
import type http = require('node:http');
import { Duplex } from 'node:stream';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { eachSameThroughBothDoors, type Handler, type Log } from '../support/both-doors.js';
import { doors, type Door } from '../support/doors.js';

const lines = (...list: string[]): string => [...list, '', ''].join('\r\n');
const inChunks = lines('POST /1 HTTP/1.1', 'Host: a', 'Transfer-Encoding: chunked', '', '1', 'a', '1', 'b', '0');
const withTrailers = lines('POST /2 HTTP/1.1', 'Host: a', 'Transfer-Encoding: chunked', '', '1', 'c', '0', 'T: t');
const last = lines('GET /3 HTTP/1.1', 'Host: a');
const read = inChunks + withTrailers + last;

/** Notes the order of handlers, listeners, ticks and promises. */
const inOrder: Handler = (req, res, log) => {
  const note = (what: string): void => log('order', what);
  note(`request ${req.url}`);
  process.nextTick(() => note(`tick after request ${req.url}`));
  void Promise.resolve().then(() => note(`promise after request ${req.url}`));
  req.on('data', (part: Buffer) => {
    note(`data ${part.toString()}`);
    process.nextTick(() => note(`tick after data ${part.toString()}`));
  });
  req.on('end', () => {
    note(`end ${req.url}`);
    res.end(req.url);
  });
};

const watch = (socket: { on(event: 'data', hear: () => void): unknown }): unknown => socket.on('data', () => {});

eachSameThroughBothDoors([
  { name: 'ticks between the parts of a read', send: read, answers: 3, handler: inOrder },
  {
    name: "the parts of a read whose socket has another listener for 'data' from the start",
    send: read,
    answers: 3,
    setup: (server) => server.on('connection', watch),
    handler: inOrder,
  },
  {
    name: "the parts of a read whose socket got another listener for 'data' from a handler",
    send: [lines('GET /0 HTTP/1.1', 'Host: a'), read],
    answers: 4,
    handler: (req, res, log) => {
      if (req.url === '/0') watch(req.socket);
      inOrder(req, res, log);
    },
  },
  {
    name: "octets that a program gives to the socket as 'data'",
    send: lines('GET /0 HTTP/1.1', 'Host: a'),
    answers: 4,
    handler: (req, res, log) => {
      const { socket } = req;
      if (req.url === '/0')
        setImmediate(() => {
          log('order', 'before');
          socket.emit('data', Buffer.from(read));
          log('order', 'after');
        });
      inOrder(req, res, log);
    },
  },
  {
    name: 'a read with a fault behind a piece of a body, on a watched socket',
    send: `${inChunks.slice(0, -7)}*garbage\r\n`,
    answers: 0,
    then: 'wait',
    setup: (server) => server.on('connection', watch),
    handler: inOrder,
  },
]);

/** A connection without a handle, and what was written to it. */
class Wire extends Duplex {
  written = '';

  override _read(): void {}

  override _write(octets: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.written += octets.toString('latin1');
    done();
  }
}

async function onStream(door: Door, arrive: (wire: Wire) => void): Promise<readonly unknown[]> {
  const order: unknown[] = [];
  const log = ((_where: string, what: unknown) => order.push(what)) as unknown as Log;
  const server: http.Server = door.createServer({}, (req, res) => inOrder(req, res, log));
  const wire = new Wire();
  server.emit('connection', wire);
  arrive(wire);
  for (let turns = 0; turns < 1000 && wire.written.split('HTTP/1.1 200').length < 4; turns++) await turn();
  wire.destroy();
  return order;
}

for (const [name, arrive] of [
  ['pushes', (wire: Wire) => wire.push(read)],
  ["emits as 'data'", (wire: Wire) => wire.emit('data', Buffer.from(read))],
] as const) {
  test(`the parts of a read that a stream without a handle ${name}`, async () => {
    const [oracle, engine] = doors;
    const expected = await onStream(oracle, arrive);
    // Without ticks between them, the second request is handled in front of the first one's tick.
    assert.deepEqual(expected.slice(0, 2), ['request /1', 'request /2']);
    assert.deepEqual(await onStream(engine, arrive), expected);
  });
}
