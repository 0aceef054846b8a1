import { inspect } from 'node:util';
import assert = require('node:assert/strict');
import { eachSameThroughBothDoors, type Scenario } from '../support/both-doors.js';

/** For each input: the default answer, and what a listener sees. */
const broken: readonly (readonly [name: string, send: string, status?: number])[] = [
  ['garbage', 'garbage\r\n\r\n', 400],
  ['an oversized head', `GET / HTTP/1.1\r\nHost: a\r\nX-Big: ${'x'.repeat(17_000)}\r\n\r\n`, 431],
  ['an oversized target', `GET /${'x'.repeat(17_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431],
  ['many small fields beyond the limit', `GET / HTTP/1.1\r\nHost: a\r\n${'X-Field: value\r\n'.repeat(1_500)}\r\n`, 431],
  ['a bad chunk size', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', 400],
  [
    'chunk extensions without end',
    `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;${'e'.repeat(20_000)}\r\na\r\n0\r\n\r\n`,
    413,
  ],
  [
    'oversized trailers',
    `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-Big: ${'x'.repeat(17_000)}\r\n\r\n`,
  ],
  ['no Host', 'GET / HTTP/1.1\r\n\r\n', 400],
  [
    'both framings',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
  ],
  ['a head cut short', 'GET / HTTP/1.1\r\nHost'],
  ['a body cut short', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc'],
  ['a chunk cut short', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc'],
  ['garbage after a request', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n\x01\x02\r\n\r\n'],
  [
    'a request after Connection: close',
    'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n',
  ],
];

const byDefault: Scenario[] = broken.map(([name, send, status]) => ({
  name: `${name} gets node's default answer`,
  send,
  answers: 0,
  then: 'finish',
  check: ({ wire }) => {
    if (status !== undefined) assert.match(wire, new RegExp(`^HTTP/1\\.1 ${status} `));
  },
}));

const toListener: Scenario[] = broken.map(([name, send]) => ({
  name: `${name} is reported to 'clientError'`,
  send,
  answers: 0,
  then: 'finish',
  setup: (server, log) =>
    server.on('clientError', (error: NodeJS.ErrnoException & { reason?: string; rawPacket?: Buffer }, socket) => {
      log('server', 'clientError', [
        error.name,
        error.code,
        error.message,
        error.reason,
        error.rawPacket !== undefined,
        Object.keys(error),
        // At the end of a stream it has the frames of what called the parser.
        error.code === 'HPE_INVALID_EOF_STATE' || [error.stack, inspect(error).split('\n')[0]],
      ]);
      log('server', 'socket', [socket.writable, socket.destroyed]);
      if (socket.writable) socket.end('HTTP/1.1 400 Mine\r\nConnection: close\r\n\r\n');
      else socket.destroy();
    }),
}));

const others: Scenario[] = [
  {
    name: "without end() in 'clientError' the connection stays until the client goes",
    setup: (server, log) =>
      server.on('clientError', (error: NodeJS.ErrnoException) => log('server', 'clientError', error.code)),
    talk: async (client, { server }) => {
      const told = new Promise((resolve) => server.once('clientError', resolve));
      await client.send('garbage\r\n\r\n');
      await told;
      client.drop();
    },
  },
  {
    name: "'clientError' comes once even when more garbage follows",
    setup: (server, log) =>
      server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
        log('server', 'clientError', error.code);
        setImmediate(() => socket.end('HTTP/1.1 400 Once\r\nConnection: close\r\n\r\n'));
      }),
    send: ['garbage\r\n\r\n', 'more garbage\r\n\r\n', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'],
    answers: 0,
    then: 'wait',
  },
  {
    name: "a listener for 'error' that the program removes in 'clientError', and a client that resets the connection then",
    setup: (server, log) => {
      const onError = (): void => log('socket', 'error');
      server.on('connection', (socket) => socket.on('error', onError));
      server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
        log('server', 'clientError', error.code);
        socket.removeListener('error', onError);
        socket.write('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n');
      });
    },
    talk: async (client) => {
      await client.send('garbage\r\n\r\n');
      await client.untilReceived('\r\n\r\n');
      client.drop(true);
    },
  },
  {
    name: 'garbage while an answer is being written keeps the answer',
    send: 'GET / HTTP/1.1\r\nHost: a\r\n\r\n',
    answers: 0,
    then: 'wait',
    handler: (req, res, log) => {
      res.write('begun');
      res.on('close', () => log('res', 'close', res.writableFinished));
    },
    talk: async (client) => {
      await client.send('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
      await client.untilReceived('begun');
      await client.send('garbage\r\n\r\n');
      await client.untilClose();
    },
  },
  ...[100, 1_000, 8_192, 16_384, 20_000].flatMap((maxHeaderSize) =>
    [-40, -1, 0, 1, 2, 40].map((off): Scenario => ({
      name: `maxHeaderSize ${maxHeaderSize} with a head ${off} bytes from it`,
      options: { maxHeaderSize },
      send: headOfSize(maxHeaderSize + off),
      answers: 0,
      then: 'finish',
    })),
  ),
];

eachSameThroughBothDoors([...byDefault, ...toListener, ...others]);

function headOfSize(size: number): string {
  const start = 'GET / HTTP/1.1\r\nHost: a\r\nX-Pad: ';
  return `${start}${'p'.repeat(Math.max(0, size - start.length - 4))}\r\n\r\n`;
}
