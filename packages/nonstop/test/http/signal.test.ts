import { once } from 'node:events';
import http = require('node:http');
import { test } from 'node:test';
import { eachSameThroughBothDoors, type Log, type Scenario, type Stage } from '../support/both-doors.js';
import type { RawClient } from '../support/raw-http.js';

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const POST = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello';

type Request = http.IncomingMessage & { signal: AbortSignal };

function follow(req: http.IncomingMessage, log: Log): AbortSignal {
  const { signal } = req as Request;
  log('signal', 'at first', signal.aborted);
  signal.addEventListener('abort', () => log('signal', 'abort'));
  return signal;
}

/** Sends a request, answers it, and reads the signal once the connection has closed. */
const answered = (name: string, send: string, answer: (res: http.ServerResponse) => void): Scenario => {
  let signal: AbortSignal;
  return {
    name,
    handler: (req, res, log) => {
      signal = follow(req, log);
      if (send === POST) req.resume();
      answer(res);
    },
    talk: async (client, { server, log }) => {
      const [socket] = await Promise.all([
        once(server, 'request').then(([req]) => (req as Request).socket),
        client.send(send),
      ]);
      await client.answer();
      const closed = once(socket, 'close');
      client.finish();
      await closed;
      await new Promise((resolve) => setImmediate(resolve));
      log('signal', 'at last', signal.aborted);
    },
  };
};

async function turns(): Promise<void> {
  for (let i = 0; i < 6; i++) await new Promise((resolve) => setImmediate(resolve));
}

/** Sends a request, waits for the answer and some turns, hangs up, and waits for the result. */
const lookLater = async (client: RawClient, { server }: Stage, send = GET): Promise<void> => {
  const asked = once(server, 'request');
  await client.send(send);
  const [req] = (await asked) as [Request];
  const { socket } = req;
  await client.answer();
  await turns();
  const closed = once(socket, 'close');
  client.finish();
  await closed;
  await turns();
};

const scenarios: Scenario[] = [
  answered('the signal of an answered request outlives its connection', GET, (res) => res.end('x')),
  answered('the signal of a request answered later outlives its connection', GET, (res) => {
    setImmediate(() => res.end('x'));
  }),
  answered('the signal of a request answered in pieces outlives its connection', GET, (res) => {
    res.write('x');
    res.end();
  }),
  answered('the signal of a request with a body', POST, (res) => {
    setImmediate(() => res.end('x'));
  }),
  {
    name: 'the signal of a request whose client goes is aborted',
    handler: (req, _res, log) => follow(req, log),
    talk: async (client, { server }) => {
      const asked = once(server, 'request');
      await client.send(GET);
      const [req] = (await asked) as [Request];
      const aborted = once(req.signal, 'abort');
      client.drop();
      await aborted;
    },
  },
  {
    name: 'a signal that is first asked for when the request is answered',
    handler: (req, res, log) => {
      res.on('finish', () => follow(req, log));
      res.end('x');
    },
    talk: lookLater,
  },
  {
    name: 'a signal that is first asked for when a request with an unread body is answered',
    handler: (req, res, log) => {
      res.on('finish', () => follow(req, log));
      res.end('x');
    },
    talk: (client, stage) => lookLater(client, stage, POST),
  },
  {
    name: 'a signal that is first asked for turns after the answer',
    handler: async (req, res, log) => {
      res.end('x');
      for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
      follow(req, log);
    },
    talk: lookLater,
  },
  {
    name: 'a signal that is first asked for when the connection has closed',
    handler: (req, res, log) => {
      req.socket.on('close', () => setImmediate(() => log('signal', 'at last', (req as Request).signal.aborted)));
      res.end('x');
    },
    talk: lookLater,
  },
  {
    name: 'a signal that is first asked for when the client has gone without an answer',
    handler: (req, _res, log) => {
      req.socket.on('close', () => setImmediate(() => log('signal', 'at last', (req as Request).signal.aborted)));
    },
    talk: async (client, { server }) => {
      const asked = once(server, 'request');
      await client.send(GET);
      const [req] = (await asked) as [Request];
      const closed = once(req.socket, 'close');
      client.drop();
      await closed;
      await turns();
    },
  },
  {
    name: 'the signal of a destroyed request is aborted',
    send: GET,
    answers: 0,
    then: 'wait',
    handler: (req, _res, log) => {
      follow(req, log);
      req.destroy();
    },
  },
];

if ('signal' in http.IncomingMessage.prototype) eachSameThroughBothDoors(scenarios);
else test('req.signal', { skip: 'this version of Node has none' }, () => undefined);
