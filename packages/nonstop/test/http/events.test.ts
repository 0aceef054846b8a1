import assert = require('node:assert/strict');
import type http = require('node:http');
import { eachSameThroughBothDoors, type Handler, type Log, type Scenario } from '../support/both-doors.js';

const toArray = async (req: http.IncomingMessage): Promise<string[]> => {
  const pieces: string[] = [];
  for await (const data of req) pieces.push(String(data));
  return pieces;
};

const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const post = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello';

/** One list for request, response and socket, so their relative order is compared too. */
function timeline(req: http.IncomingMessage, res: http.ServerResponse, log: Log): void {
  const note = (what: string) => (): void => log('timeline', what);
  for (const event of ['end', 'close', 'aborted', 'error']) req.on(event, note(`req ${event}`));
  for (const event of ['prefinish', 'finish', 'close', 'error']) res.on(event, note(`res ${event}`));
}

const orders: readonly (readonly [name: string, send: string, handler: Handler])[] = [
  ['end() at once', get, (_req, res) => res.end('x')],
  ['end() in the next tick', get, (_req, res) => process.nextTick(() => res.end('x'))],
  ['end() later', get, (_req, res) => setImmediate(() => res.end('x'))],
  ['end() after the body', post, (req, res) => req.resume().on('end', () => res.end('x'))],
  [
    'end() before the body is read',
    post,
    (req, res) => {
      res.end('x');
      setImmediate(() => req.resume());
    },
  ],
  ['an unread body', post, (_req, res) => res.end('x')],
  [
    'write and end',
    get,
    (_req, res) => {
      res.write('x');
      setImmediate(() => res.end('y'));
    },
  ],
  ['a callback of end', get, (_req, res, log) => res.end('x', () => log('timeline', 'end callback'))],
  [
    'callbacks of write and end',
    get,
    (_req, res, log) => {
      res.write('x', () => log('timeline', 'write callback'));
      res.end('y', () => log('timeline', 'end callback'));
    },
  ],
  [
    'promises and ticks between',
    get,
    (_req, res, log) => {
      res.end('x');
      process.nextTick(() => log('timeline', 'tick'));
      void Promise.resolve().then(() => log('timeline', 'microtask'));
    },
  ],
  ['destroying the response', get, (_req, res) => res.destroy()],
  ['destroying the request', post, (req) => req.destroy()],
];

const scenarios: Scenario[] = orders.map(([name, send, handler]) => ({
  name: `the order of events with ${name}`,
  send,
  then: 'follow',
  handler: (req, res, log) => {
    timeline(req, res, log);
    return handler(req, res, log);
  },
  check: ({ events }) => {
    const timelineSeen = events['timeline'] as string[];
    const finish = timelineSeen.indexOf('res finish');
    assert.ok(finish < timelineSeen.indexOf('res close'), 'finish comes before close');
  },
}));

const promise = (): Promise<void> => Promise.resolve();
const tick = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

/**
 * A body in the same read as its head, with nothing after it. Ticks run between the body and the end of its message, so that a handler
 * which awaits a promise finds an incomplete request.
 */
const behindABody: Scenario[] = (
  [
    ['is not complete', (req, log) => log('req', 'complete', [req.complete, req.readable, req.readableLength])],
    ['is read whole', (req, log) => void req.on('data', (data) => log('req', 'data', String(data)))],
    ['is collected', (req, log) => void toArray(req).then((parts) => log('req', 'collected', parts))],
    ['is destroyed', (req) => void req.destroy()],
    ['has its socket paused', (req) => void req.socket.pause()],
    ['is resumed', (req, log) => void req.resume().once('end', () => log('req', 'end', req.complete))],
  ] satisfies [string, (req: http.IncomingMessage, log: Log) => void][]
).flatMap(([name, act]) =>
  [promise, tick].flatMap((wait) =>
    ['before', 'behind'].map((when) => ({
      name: `a request whose body came with it ${name} ${when} its answer, after a ${wait.name}`,
      send: post,
      then: name === 'is destroyed' ? 'wait' : 'probe',
      answers: name === 'is destroyed' && when === 'before' ? 0 : 1,
      handler: async (req, res, log) => {
        if (when === 'behind') res.end('answer');
        await wait();
        act(req, log);
        if (when === 'before') res.end('answer');
      },
    })),
  ),
);

const connection: Scenario[] = [
  {
    name: "'connection' comes before 'request' with the same socket",
    send: get,
    setup: (server, log) => {
      const seen = new Set<unknown>();
      server.on('connection', (socket) => {
        seen.add(socket);
        log('server', 'connection');
      });
      server.on('request', (req: http.IncomingMessage) =>
        log('server', 'request', [
          seen.has(req.socket),
          (req.socket as unknown as { server: unknown }).server === server,
        ]),
      );
    },
  },
  {
    name: "listeners added, removed and swapped on 'request' are the ones called",
    send: get + get + get,
    answers: 3,
    setup: (server, log) => {
      const [app] = server.listeners('request') as http.RequestListener[];
      server.removeAllListeners('request');
      let calls = 0;
      server.on('request', (req, res) => {
        log('server', 'wrapper', ++calls);
        if (calls === 2) server.prependListener('request', () => log('server', 'prepended'));
        app(req, res);
      });
      log('server', 'count', server.listenerCount('request'));
    },
  },
  {
    name: 'a server without a listener leaves the request unanswered',
    setup: (server) => server.removeAllListeners('request'),
    talk: async (client) => {
      await client.send(get);
      client.finish();
      await client.untilClose();
    },
  },
  {
    name: "'finish' waits for the response before it",
    send: get + get,
    answers: 2,
    handler: (() => {
      let first: http.ServerResponse | undefined;
      return (_req, res, log) => {
        const name = first === undefined ? 'first' : 'second';
        res.on('finish', () => log('order', `${name} finish`));
        if (first === undefined) {
          first = res;
          return;
        }
        const held = first;
        first = undefined;
        res.end('2', () => log('order', 'second callback'));
        setImmediate(() => held.end('1'));
      };
    })(),
  },
];

eachSameThroughBothDoors([...scenarios, ...behindABody, ...connection]);
