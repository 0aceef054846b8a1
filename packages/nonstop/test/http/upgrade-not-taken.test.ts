import assert = require('node:assert/strict');
import { test } from 'node:test';
import { eachSameThroughBothDoors, play, watch, type Scenario } from '../support/both-doors.js';
import { doors } from '../support/doors.js';

// Clients that may use HTTP/2 send this by default: curl, Java's HttpClient.
const H2C = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n';
const upgrade = (...lines: string[]): string =>
  `POST /chat HTTP/1.1\r\nHost: a\r\n${H2C}${lines.map((line) => `${line}\r\n`).join('')}\r\n`;
const SECOND = 'GET /second HTTP/1.1\r\nHost: a\r\n\r\n';
const LENGTH = 'Content-Length: 5';
const CHUNKED = 'Transfer-Encoding: chunked';
const FRAME = '\x81\x85abc';

const setup: Scenario['setup'] = (server, log) =>
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    log('server', error.code!);
    socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
  });

/** The answer to the request with Upgrade is due when everything that is behind it has been read. */
const answersLast: Scenario['handler'] = (req, res, log) => {
  watch(req, res, log);
  setTimeout(() => res.end(`answer ${req.url}`), req.url === '/chat' ? 50 : 0);
};

/** @param answers paths of the requests that are answered in spite of what is behind the first one */
const behind = (name: string, pieces: readonly string[], answers: readonly string[] = ['/chat']): Scenario => ({
  name: `behind an upgrade that nobody takes: ${name}`,
  setup,
  handler: answersLast,
  talk: async (client, { sendEach }) => {
    await sendEach(client, pieces);
    for (const path of answers) await client.untilReceived(`answer ${path}`);
    client.finish();
    await client.untilClose();
  },
  check: ({ events }) => assert.equal(events['server'], undefined),
});

const octets: Scenario[] = [
  behind('octets in its read', [`${upgrade()}${FRAME}`]),
  behind('octets in the next read', [upgrade(), FRAME]),
  behind('octets behind a body, in its read', [`${upgrade(LENGTH)}hello${FRAME}`]),
  behind('octets behind a body, in the next read', [`${upgrade(LENGTH)}hello`, FRAME]),
  behind('octets behind chunks', [`${upgrade(CHUNKED)}2\r\nhi\r\n0\r\n\r\n${FRAME}`]),
  behind('the preface of HTTP/2', [`${upgrade()}PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`]),
  behind('octets, then a request in the next read', [`${upgrade()}${FRAME}`, SECOND], ['/chat', '/second']),
  behind('a beginning of a head that is none, then a request', [`${upgrade()}abc`, SECOND], ['/chat', '/second']),
  behind('octets in the next read, then a request, which nobody reads', [upgrade(), FRAME, SECOND]),
  behind('a head that is too long', [
    upgrade(),
    `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    SECOND,
  ]),
  behind('a request, then octets in a later read', [upgrade('X: 1'), SECOND], ['/chat', '/second']),
  behind('octets in the next read, if it closes', [upgrade('Connection: close'), FRAME]),
];

const faults: Scenario[] = Object.entries({
  'a chunk that is none': [upgrade(CHUNKED), '5\r\nhello\r\nzz\r\n', SECOND],
  'a trailer that is none': [upgrade(CHUNKED), '0\r\nb ad: 1\r\n\r\n', SECOND],
  'a length, of which the client sends a part': [`${upgrade(LENGTH)}he`],
  'chunks, of which the client sends a part': [`${upgrade(CHUNKED)}5\r\nhe`],
}).flatMap(([what, pieces]) =>
  [true, false].map((reads): Scenario => ({
    name: `the body of an upgrade that nobody takes: ${what}${reads ? '' : ', not read'}`,
    setup,
    handler: (req, res, log) => {
      watch(req, res, log, reads);
      if (reads) req.on('end', () => res.end('read'));
      else res.end('not read');
    },
    talk: async (client, { sendEach }) => {
      await sendEach(client, pieces);
      if (!reads) await client.untilReceived('not read');
      client.finish();
      await client.untilClose();
    },
    check: ({ events }) => assert.equal(events['server'], undefined),
  })),
);

/** A client that sends more octets now and then cannot keep the connection open for ever. */
const deadline: Scenario = {
  name: 'octets behind an upgrade that nobody takes are a request that has to be complete in headersTimeout',
  options: { headersTimeout: 200, requestTimeout: 200, connectionsCheckingInterval: 50 },
  setup,
  handler: (_, res) => res.end('answer /chat'),
  talk: async (client, { sendEach }) => {
    await sendEach(client, [upgrade(), FRAME]);
    await client.untilClose();
  },
};

/** Without a listener, and in front of a close: what came with such a request is dropped. */
const closing: Scenario[] = [
  ['HTTP/1.0', `GET /chat HTTP/1.0\r\n${H2C}\r\n`],
  ['HTTP/1.0 with a body', `POST /chat HTTP/1.0\r\n${H2C}Content-Length: 2\r\n\r\nhi`],
  ['HTTP/1.1', upgrade('Connection: close')],
].flatMap(([name, head]) =>
  ['GET /second HTTP/1.1\r\nHost: a\r\n\r\n', '\x01\x02 octets', '\r\n\r\nmore'].map((behind): Scenario => ({
    name: `octets behind an upgrade that nobody takes and that closes its connection: ${name}, ${JSON.stringify(behind)}`,
    handler: (req, res, log) => {
      log('server', req.url!);
      setTimeout(() => res.end('ok'), 5);
    },
    send: head + behind,
    then: 'wait',
    check: ({ wire }) => assert.match(wire, /ok$/),
  })),
);

const untold: Scenario = {
  name: 'a replaced emit() of the server is not told of a CONNECT without a listener',
  setup: (server, log) => {
    server.on('connection', (socket) => socket.on('close', () => log('socket', 'close')));
    const { emit } = server;
    server.emit = (event: string, ...given: unknown[]) => {
      if (['connect', 'request'].includes(event)) log('server', event);
      return Reflect.apply(emit, server, [event, ...given]) as boolean;
    };
  },
  talk: async (client) => {
    client.expecting('CONNECT');
    await client.send('CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n');
    await client.untilClose();
  },
  check: ({ events }) => assert.deepEqual(events, { socket: ['close'] }),
};

eachSameThroughBothDoors([...octets, ...faults, ...closing, deadline, untold]);

test('requests of the same segment behind an upgrade that nobody takes are answered (docs/compat)', async () => {
  const [, engine] = doors;
  const { events } = await play(engine, {
    name: 'requests behind an upgrade without a listener',
    handler: (req, res, log) => {
      log('server', req.url!);
      res.end('ok');
    },
    send: `${upgrade()}GET /second HTTP/1.1\r\nHost: a\r\n\r\n${upgrade(LENGTH)}helloGET /last HTTP/1.1\r\nHost: a\r\n\r\n`,
    answers: 4,
  });
  assert.deepEqual(events['server'], ['/chat', '/second', '/chat', '/last']);
});
