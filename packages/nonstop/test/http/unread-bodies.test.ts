import assert = require('node:assert/strict');
import { once } from 'node:events';
import type http = require('node:http');
import { eachSameThroughBothDoors, type Scenario } from '../support/both-doors.js';

interface Dumpable extends http.IncomingMessage {
  _dumped: boolean;
}

const request = (method: string, ...lines: string[]): string =>
  [`${method} / HTTP/1.1`, 'Host: a', ...lines, '', ''].join('\r\n');

// With this option of Node 24 and later, a request without Content-Length and Transfer-Encoding has no stream.
const announced: Scenario[] = (
  [
    ['GET', request('GET')],
    ['HEAD', request('HEAD')],
    ['POST', request('POST')],
    ['POST with a length of 0', request('POST', 'Content-Length: 0')],
    ['GET with a length of 0', request('GET', 'Content-Length: 0')],
    ['POST with a length', `${request('POST', 'Content-Length: 3')}abc`],
    ['POST in chunks', `${request('POST', 'Transfer-Encoding: chunked')}3\r\nabc\r\n0\r\n\r\n`],
    ['GET in no chunks', `${request('GET', 'Transfer-Encoding: chunked')}0\r\n\r\n`],
  ] as const
).flatMap(([name, send]) =>
  [true, false].map((touched): Scenario => ({
    name: `optimizeEmptyRequests and ${name}, its stream ${touched ? 'listened to' : 'not touched'}`,
    options: { optimizeEmptyRequests: true } as http.ServerOptions,
    send,
    methods: [send.split(' ', 1)[0]],
    handler: (req, res, log) => {
      if (touched) {
        for (const event of ['data', 'end', 'close']) req.on(event, () => log('req', event));
        log('req', 'stream', [
          req.readableEnded,
          req.destroyed,
          req.readable,
          req.readableFlowing,
          req.readableDidRead,
        ]);
      }
      log('req', 'dumped', (req as Dumpable)._dumped);
      setImmediate(() => res.end('ok'));
    },
  })),
);

const lookedAt: Scenario[] = announced
  .filter(({ name }) => name.endsWith('not touched'))
  .map((scenario) => ({
    ...scenario,
    name: scenario.name.replace('not touched', 'looked at'),
    handler: (req, res, log) => {
      log('req', 'stream', [req.readableFlowing, req.readableDidRead, req.readableEnded, req.destroyed, req.readable]);
      setImmediate(() => res.end('ok'));
    },
  }));

const paused: Scenario[] = [
  {
    name: 'a request that was read and paused is not dumped when its response has been sent',
    send: `${request('POST', 'Content-Length: 5', 'Connection: close')}hello`,
    handler: (req, res, log) => {
      req.once('data', (data: Buffer) => {
        log('req', 'data', data.toString());
        req.pause();
        res.on('finish', () => log('res', 'finish', (req as Dumpable)._dumped));
        res.end();
      });
    },
  },
  {
    name: 'an unread request is dumped when its response has been sent',
    send: `${request('POST', 'Content-Length: 5', 'Connection: close')}hello`,
    handler: (req, res, log) => {
      res.on('finish', () => setImmediate(() => log('res', 'finished', (req as Dumpable)._dumped)));
      res.end();
    },
  },
  {
    name: "a 'finish' listener of the response reads the received part of an unread body",
    send: `${request('POST', 'Content-Length: 5', 'Connection: close')}hello`,
    handler: (req, res, log) => {
      res.on('finish', () => log('req', 'read', String(req.read(1))));
      res.end();
    },
    check: ({ events }) => assert.deepEqual(events['req'], [['read', 'h']]),
  },
];

let server: http.Server;
/** What a handler does to the rest of a body after it has answered and paused the socket. */
const afterPause: Scenario[] = (
  [
    ['resume()', (req) => void req.resume()],
    ["a listener for 'data'", (req) => void req.on('data', () => undefined)],
    ["a listener for 'readable'", (req) => void req.on('readable', () => void req.read())],
    ['read()', (req) => void req.read()],
    ['pause()', (req) => void req.pause()],
  ] as [string, (req: http.IncomingMessage) => void][]
).flatMap(([name, act]) =>
  [true, false].map((touched): Scenario => ({
    name: `${name} of a request ${touched ? 'with' : 'without'} a listener leaves a socket paused that was paused after the answer`,
    setup: (each) => (server = each),
    handler: (req, res, log) => {
      if (touched) req.on('end', () => log('req', 'end'));
      res.end('answered');
      setImmediate(() => {
        req.socket.pause();
        act(req);
        setImmediate(() => {
          log('socket', 'paused', [req.socket.isPaused(), req.readableFlowing, req.readableDidRead]);
          req.socket.resume();
          server.emit('acted');
        });
      });
    },
    talk: async (client, { sendEach }) => {
      const acted = once(server, 'acted');
      await sendEach(client, [request('POST', 'Content-Length: 5')]);
      await client.answer();
      await acted;
      await client.send('helloGET /probe HTTP/1.1\r\nHost: probe\r\n\r\n');
      await client.answer();
      client.drop();
    },
  })),
);

/** More than a stream takes before write() returns false. */
const LONG = 100_000;
const long = request('POST', `Content-Length: ${LONG}`) + 'x'.repeat(LONG);

const begun: Scenario[] = (
  [
    ['read(1)', (req) => void req.read(1)],
    [
      'resume() and pause()',
      (req) => {
        req.resume();
        req.pause();
      },
    ],
    ['nothing', () => undefined],
  ] as const satisfies readonly (readonly [string, (req: http.IncomingMessage) => void])[]
).map(([name, begin]) => ({
  name: `${name} on a request, its answer, and the rest of a long body`,
  talk: async (client) => {
    await client.send(long + request('GET'));
    await client.answer();
    for (let i = 0; i < TURNS; i++) await new Promise((resolve) => setImmediate(resolve));
    // A socket that is not read does not notice that the client has closed.
    answered!.destroy();
  },
  handler: (req, res, log) => {
    answered = req.socket;
    log('handler', `${req.method}`);
    begin(req);
    res.end('answer');
  },
}));
let answered: http.IncomingMessage['socket'] | undefined;
/** Turns of the loop in which the next request would arrive. */
const TURNS = 50;

eachSameThroughBothDoors([...announced, ...lookedAt, ...paused, ...begun, ...afterPause]);
