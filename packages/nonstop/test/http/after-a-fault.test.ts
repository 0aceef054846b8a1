import assert = require('node:assert/strict');
import { once } from 'node:events';
import { test } from 'node:test';
import { eachSameThroughBothDoors, play, type Scenario } from '../support/both-doors.js';
import { doors } from '../support/doors.js';

type ParseError = NodeJS.ErrnoException & { reason?: string; rawPacket?: Buffer; bytesParsed?: number };

const repeated: Scenario[] = [
  ['garbage', '*', ['*', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n']],
  ['a bad field', 'GET / HTTP/1.1\r\nHo st: a\r\n', ['Host: a\r\n\r\n', '\r\n']],
  [
    'a bad chunk size',
    'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    ['1\r\na\r\n0\r\n\r\n', '\r\n'],
  ],
].map(([name, first, more]) => ({
  name: `${name as string} is reported to 'clientError' again with each following piece`,
  setup: (server, log) =>
    server.on('clientError', ({ code, message, rawPacket, bytesParsed }: ParseError, socket) => {
      log('server', 'clientError', [code, message, rawPacket?.toString('latin1'), bytesParsed]);
      // In memory of its own, which may be transferred.
      log('server', 'memory', rawPacket?.buffer.byteLength === rawPacket?.length);
      log('server', 'listeners', socket.listenerCount('error'));
    }),
  talk: async (client, { server }) => {
    for (const piece of [first as string, ...(more as string[])]) {
      const told = once(server, 'clientError');
      await client.send(piece);
      await told;
    }
    client.drop();
  },
  handler: (req) => req.resume(),
  check: ({ events }) =>
    assert.equal(events['server'].filter((each) => (each as unknown[])[0] === 'clientError').length, 3),
}));

const x = (size: number): string => 'x'.repeat(size);
const bytesParsed: Scenario[] = (
  [
    ['a value', `GET / HTTP/1.1\r\nHost: a\r\nX-Big: ${x(17_000)}\r\nY: 1\r\n\r\n`],
    ['a value without its end', `GET / HTTP/1.1\r\nHost: a\r\nX-Big: ${x(17_000)}`],
    ['a value with a bad octet', `GET / HTTP/1.1\r\nHost: a\r\nX-Big: ${x(17_000)}\x01\r\n\r\n`],
    ['a value that ends in blanks', `GET / HTTP/1.1\r\nHost: a\r\nX: ${x(16_000)} ${' '.repeat(999)}\r\n\r\n`],
    ['a name', `GET / HTTP/1.1\r\n${x(17_000)}: a\r\n\r\n`],
    ['a name without its end', `GET / HTTP/1.1\r\n${x(17_000)}`],
    ['a target', `GET /${x(17_000)} HTTP/1.1\r\nHost: a\r\n\r\n`],
    ['a target without its end', `GET /?${x(17_000)}`],
    ['a second head', `GET / HTTP/1.1\r\nHost: a\r\n\r\nGET /${x(17_000)} HTTP/1.1\r\nHost: a\r\n\r\n`],
    ['a thousand fields', `GET / HTTP/1.1\r\nHost: a\r\n${'X-Field: value\r\n'.repeat(1_500)}\r\n`],
    ['a trailer', `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: ${x(17_000)}\r\n\r\n`],
  ] as const
).map(([name, send]) => ({
  name: `${name} beyond the limit counts as parsed to its end`,
  send,
  answers: 0,
  then: 'wait',
  setup: (server, log) =>
    server.on('clientError', ({ code, bytesParsed, rawPacket }: ParseError, socket) => {
      log('server', 'clientError', [code, bytesParsed, rawPacket?.length]);
      socket.destroy();
    }),
  handler: (req, res) => {
    req.resume();
    res.end();
  },
  ignoreWire: true,
}));

const behindAnAnswer: Scenario[] = (
  [
    ['garbage', 'GET /1 HTTP/1.1\r\nHost: a\r\n\r\n*\r\n\r\n'],
    ['a coding that is not known', 'GET /1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: GET\r\n\r\n'],
    ['a bad chunk size', 'POST /1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\nzz\r\n'],
  ] as const
).flatMap(([name, send]) =>
  [false, true].map((listens) => ({
    name: `no refusal of ${name} is written behind an answer of the same read, ${listens ? 'with' : 'without'} a listener`,
    send,
    answers: 0,
    then: 'wait',
    handler: (_, res, log) => {
      if (listens) res.on('finish', () => log('res', 'finish'));
      res.end('answer');
    },
  })),
);

const refused: Scenario[] = [
  ['garbage', 'GET /1 HTTP/1.1\r\nHost: a\r\n\r\n*\r\n\r\n'],
  ['a request behind one that closes', 'GET /1 HTTP/1.0\r\n\r\nGET /2 HTTP/1.1\r\nHost'],
].map(([name, send]) => ({
  name: `an answer that ended before ${name} in the same read gets the error, and so does a second end()`,
  send,
  answers: 0,
  then: 'wait',
  handler: async (_, res, log) => {
    res.on('error', ({ code }: NodeJS.ErrnoException) => log('res', 'error', code));
    res.end('answer');
    await Promise.resolve();
    log('res', 'finished', res.writableFinished);
    res.end('more', (error?: NodeJS.ErrnoException) => log('res', 'second end', error?.code));
    res.end((error?: NodeJS.ErrnoException) => log('res', 'third end', error?.code));
  },
}));
const untold: Scenario[] = refused.map(({ name, ...rest }) => ({
  ...rest,
  name: `${name}, without earlier listeners`,
  handler: async (_req, res, log) => {
    res.end('answer');
    await Promise.resolve();
    log('res', 'finished', res.writableFinished);
    res.end((error?: NodeJS.ErrnoException) => log('res', 'second end', error?.code));
  },
}));

eachSameThroughBothDoors([...repeated, ...bytesParsed, ...behindAnAnswer, ...refused, ...untold]);

// Node 20 and 22 continue in a parser that they have freed; later versions stop, and so does the engine on all versions.
test('a socket that is marked closed gets no further request of the same read', async () => {
  const { events } = await play(doors[1], {
    name: '',
    send: 'GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n',
    answers: 0,
    then: 'finish',
    handler: (req, res, log) => {
      log('handler', 'request', req.url);
      req.socket.emit('close');
      res.end();
      req.socket.destroy();
    },
  });
  assert.deepEqual(events['handler'], [['request', '/1']]);
});
