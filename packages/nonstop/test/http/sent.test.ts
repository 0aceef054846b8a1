import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import type http = require('node:http');
import net = require('node:net');
import { finished } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { eachSameThroughBothDoors, type Handler, type Log, type Scenario } from '../support/both-doors.js';

// A response is finished only once the socket has accepted all of it. Otherwise a program that closes connections
// by `'finish'`, `socket._httpMessage` or `res.socket` would cut an answer off.

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

/** More than the kernel accepts while the reader does not read. */
const LARGE = 24_000_000;

const large = Buffer.alloc(LARGE, 97);

type Sent = http.ServerResponse & { readonly closed: boolean };
type Carrying = net.Socket & { readonly _httpMessage?: unknown };

/** Properties of a response whose answer is being sent, or has arrived. */
function state(res: Sent, socket: Carrying): unknown {
  return {
    carried: Boolean(socket._httpMessage),
    socket: res.socket === socket,
    destroyed: res.destroyed,
    closed: res.closed,
    writableFinished: res.writableFinished,
    unsent: socket.writableLength > 0,
  };
}

interface Way {
  readonly name: string;
  readonly listen: (res: http.ServerResponse, heard: () => void) => unknown;
}

const ways: readonly Way[] = [
  { name: "once('finish')", listen: (res, heard) => res.once('finish', heard) },
  { name: "once('close')", listen: (res, heard) => res.once('close', heard) },
  { name: "events.once('finish')", listen: (res, heard) => once(res, 'finish').then(heard) },
  { name: 'stream.finished()', listen: (res, heard) => finished(res, heard) },
];

const waits: readonly (readonly [string, () => unknown])[] = [
  ['in the same tick', () => undefined],
  ['a promise later', () => Promise.resolve()],
  ['a turn later', () => turn()],
];

const bodies: readonly (readonly [string, (res: http.ServerResponse) => void])[] = [
  ['a large answer in one piece', (res) => res.end(large)],
  [
    'a large answer in parts',
    (res) => {
      res.write(large);
      res.end('end');
    },
  ],
];

/** The client does not read until the server has looked at its response. */
function slowReader(name: string, handler: Handler): Scenario {
  let looked: () => void;
  let seen: Promise<void>;
  return {
    name,
    setup: () => {
      seen = new Promise((resolve) => (looked = resolve));
    },
    handler: async (req, res, log) => {
      await handler(req, res, log);
      looked();
    },
    talk: async (_client, { server, log }) => {
      const socket = net.connect((server.address() as net.AddressInfo).port, '127.0.0.1').pause();
      socket.write(GET);
      await seen;
      let received = 0;
      await new Promise<void>((resolve) => {
        socket.on('data', (chunk: Buffer) => {
          received += chunk.length;
          if (received > LARGE) resolve();
        });
        socket.on('close', () => resolve());
        socket.resume();
      });
      socket.destroy();
      log('client', 'received all of it', received > LARGE);
    },
  };
}

function told({ listen }: Way, wait: () => unknown, give: (res: http.ServerResponse) => void): Handler {
  return async (req, res, log: Log) => {
    const { socket } = req;
    give(res);
    await wait();
    void listen(res, () => log('response', 'heard', state(res, socket)));
    await turn();
    await turn();
    log('response', 'in between', state(res, socket));
  };
}

/** The expected values on both doors; equality alone would not be enough. */
function saysSo({ events }: { readonly events: Record<string, unknown[]> }): void {
  const [[when, seen]] = events['response'] as [string, { unsent: boolean; carried: boolean }][];
  assert.deepEqual([when, seen.unsent, seen.carried], ['in between', true, true]);
  assert.deepEqual(events['client'], [['received all of it', true]]);
}

const inOnePiece = bodies[0][1];

eachSameThroughBothDoors([
  ...bodies.flatMap(([body, give]) =>
    ways.map((way) => ({
      ...slowReader(
        `${way.name} waits until ${body} is sent`,
        told(way, () => undefined, give),
      ),
      check: saysSo,
    })),
  ),
  ...waits.map(([when, wait]) => ({
    ...slowReader(`a listener that is added ${when} hears when it is sent`, told(ways[0], wait, inOnePiece)),
    check: saysSo,
  })),
]);
