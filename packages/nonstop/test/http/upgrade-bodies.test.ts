import { once } from 'node:events';
import type http = require('node:http');
import type { Duplex } from 'node:stream';
import { eachSameThroughBothDoors, type Log, type Scenario } from '../support/both-doors.js';

const head = (...lines: string[]): string =>
  ['POST /chat HTTP/1.1', 'Host: a', 'Connection: Upgrade', 'Upgrade: echo', ...lines, '', ''].join('\r\n');
const withLength = head('Content-Length: 5');
const inChunks = head('Transfer-Encoding: chunked');

/** Speaks "echo" on the socket; reads the body of the request, listens to its stream, or leaves it alone. */
function echo(body: 'read' | 'left'): (server: http.Server, log: Log) => void {
  return (server, log) =>
    server.on('upgrade', (req: http.IncomingMessage, stream: Duplex, rest: Buffer) => {
      log('server', 'upgrade', [req.complete, rest.toString(), stream === req.socket]);
      const names = ['data', 'end', 'error', 'close', 'drain', 'timeout'];
      log(
        'server',
        'listeners',
        [stream, req.socket].map((each) => names.map((name) => each.listenerCount(name))),
      );
      if (body === 'read') {
        const parts: Buffer[] = [];
        req.on('data', (part: Buffer) => parts.push(part));
        req.on('end', () => log('req', 'end', [Buffer.concat(parts).toString(), req.complete, req.trailers]));
      }
      req.on('error', (error) => log('req', 'error', error.message));
      stream.on('error', (error) => log('stream', 'error', error.message));
      stream.on('close', () => log('stream', 'close'));
      stream.write(`[upgraded]${rest.toString()}`);
      stream.on('data', (data: Buffer) => stream.write(data));
      stream.on('end', () => stream.end('bye'));
    });
}

/** Sends the request, and the rest once the socket has been handed over; ends as soon as all of it has come back. */
const inPieces =
  (first: string, rest: readonly string[]): Scenario['talk'] =>
  async (client, { server }) => {
    client.expecting('CONNECT');
    const upgraded = once(server, 'upgrade');
    await client.send(first);
    await upgraded;
    for (const piece of rest) await client.send(piece);
    await client.untilReceived('over');
    client.finish();
    await client.untilClose();
  };

const bodies: Scenario[] = (['read', 'left'] as const).flatMap((body) =>
  (
    [
      ['a length behind the head', withLength, ['hello', 'over']],
      ['a length in pieces', `${withLength}he`, ['ll', 'oand ', 'over']],
      ['chunks behind the head', inChunks, ['2\r\nab\r\n', '0\r\n\r\n', 'over']],
      ['chunks in pieces', `${inChunks}2\r\na`, ['b\r\n0\r\n', 'X: y\r\n\r\nand over']],
      ['no length', head(), ['over']],
      ['a length of 0', head('Content-Length: 0'), ['over']],
      ['a long body', head('Content-Length: 200000'), ['x'.repeat(150_000), `${'y'.repeat(50_000)}over`]],
    ] as const
  ).map(([name, first, rest]) => ({
    name: `an upgrade with ${name}, the body ${body}`,
    setup: echo(body),
    talk: inPieces(first, rest),
  })),
);

const faults: Scenario[] = [
  {
    name: 'a fault in the body of an upgrade',
    setup: (server, log) => {
      server.on('upgrade', (req, stream) => {
        log('server', 'upgrade', req.complete);
        req.on('data', (data: Buffer) => log('req', 'data', data.toString()));
        stream.on('close', () => log('stream', 'close'));
      });
      server.on('clientError', (error) => log('server', 'clientError', error.message));
    },
    talk: async (client, { server, sendEach }) => {
      const upgraded = once(server, 'upgrade');
      await client.send(inChunks);
      const [req] = (await upgraded) as [http.IncomingMessage];
      // The last piece is empty: by then the server has read the others.
      await sendEach(client, ['zz\r\n', '1\r\na\r\n', '']);
      req.socket.destroy();
      await client.untilClose();
    },
  },
  {
    name: 'an upgrade with a body and without a listener is an ordinary request',
    send: `${withLength}hello`,
  },
  {
    name: 'a client that goes away during the body of an upgrade',
    setup: (server, log) =>
      server.on('upgrade', (req, stream) => {
        log('server', 'upgrade', req.complete);
        req.on('aborted', () => log('req', 'aborted'));
        stream.on('error', () => undefined);
        // A socket that is not read does not notice an end either.
        stream.resume();
        stream.on('end', () => stream.destroy());
        stream.on('close', () => log('stream', 'close', stream.destroyed));
      }),
    talk: async (client, { server }) => {
      const upgraded = once(server, 'upgrade');
      await client.send(withLength);
      const [, stream] = (await upgraded) as [unknown, Duplex];
      const closed = once(stream, 'close');
      client.drop();
      await closed;
    },
  },
];

/** What the listener hears of a client that sends a part of the body. */
const heard: Scenario['setup'] = (server, log) => {
  server.on('upgrade', (_req, stream) => {
    stream.on('error', (error: NodeJS.ErrnoException) => log('stream', 'error', error.code));
    for (const event of ['end', 'close']) stream.on(event, () => log('stream', event));
    stream.once('end', () => stream.end());
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    log('server', 'clientError', error.code);
    socket.destroy();
  });
};
const parts: Scenario[] = [
  {
    name: 'a body of an upgrade that does not end has a deadline where it is a body',
    options: { headersTimeout: 250, requestTimeout: 250, connectionsCheckingInterval: 20 },
    setup: heard,
    talk: async (client, { server }) => {
      await client.send('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
      await client.answer();
      const upgraded = once(server, 'upgrade');
      await client.send(`${withLength}he`);
      const [req] = (await upgraded) as [http.IncomingMessage];
      // Otherwise the socket is the listener's, without a deadline.
      if (req.complete) client.drop();
      await client.untilClose();
    },
  },
  ...(['finish', 'reset'] as const).map((how): Scenario => ({
    name: `a listener that reads nothing, and a client that ${how === 'finish' ? 'half-closes' : 'resets'} during the body of an upgrade`,
    setup: heard,
    talk: async (client, { server, sendEach }) => {
      const upgraded = once(server, 'upgrade');
      await sendEach(client, [`${withLength}he`, '']);
      const [req, stream] = (await upgraded) as [http.IncomingMessage, Duplex];
      req.on('error', () => undefined);
      const closed = new Promise((resolve) => req.socket.once('close', resolve));
      if (how === 'finish') client.finish();
      else client.drop(true);
      setTimeout(() => stream.destroy(), 300).unref();
      await closed;
    },
  })),
];

const readLater: Scenario[] = [
  {
    name: 'the stream of an upgrade that is read behind the body, and then the body',
    setup: (server) => server.on('upgrade', () => undefined),
    talk: async (client, { server, log, sendEach }) => {
      const upgraded = once(server, 'upgrade');
      await sendEach(client, [`${withLength}he`, 'llo', '']);
      const [req, stream] = (await upgraded) as [http.IncomingMessage, Duplex];
      stream.on('data', (data: Buffer) => stream.write(data));
      await client.send('over');
      await client.untilReceived('over');
      // Where the body belongs to the stream, it has come back.
      if (!client.received.includes('hello')) log('req', 'readableLength', req.readableLength);
      stream.destroy();
      await client.untilClose();
    },
  },
];

eachSameThroughBothDoors([...bodies, ...faults, ...parts, ...readLater]);
