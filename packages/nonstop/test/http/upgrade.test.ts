import type http = require('node:http');
import type net = require('node:net');
import type { Duplex } from 'node:stream';
import assert = require('node:assert/strict');
import { test } from 'node:test';
import { eachSameThroughBothDoors, watch, type Log, type Scenario } from '../support/both-doors.js';
import { certificate } from '../support/certificate.js';
import { runProgram } from '../support/run-program.js';
import { subject } from '../support/subject.js';

const upgrade = (...lines: string[]): string =>
  ['GET /chat HTTP/1.1', 'Host: a', 'Connection: Upgrade', 'Upgrade: echo', ...lines, '', ''].join('\r\n');
const SWITCH = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n';

/** Speaks "echo": sends back what arrives, and ends when the other side ends. */
function serveEcho(event: 'upgrade' | 'connect', greeting = SWITCH): (server: http.Server, log: Log) => void {
  return (server, log) =>
    server.on(event, (req: http.IncomingMessage, socket: Duplex, head: Buffer) => {
      log('server', event, [req.method, req.url, req.headers, head.toString(), req.complete]);
      log('server', 'same socket', req.socket === socket);
      log(
        'server',
        'listeners',
        ['data', 'end', 'error', 'drain', 'timeout'].map((name) => [name, socket.listenerCount(name)]),
      );
      log('server', 'timeout', req.socket.timeout ?? 0);
      socket.write(greeting);
      if (head.length > 0) socket.write(head);
      socket.on('data', (chunk: Buffer) => socket.write(chunk));
      socket.on('end', () => socket.end('bye'));
    });
}

const talkEcho: Scenario['talk'] = async (client) => {
  client.expecting('CONNECT');
  await client.send('one');
  await client.untilReceived('one');
  await client.send('GET / HTTP/1.1\r\n\r\n');
  await client.untilReceived('GET / HTTP/1.1\r\n\r\n');
  client.finish();
  assert.match((await client.untilClose()).toString(), /bye$/);
};

const listened: Scenario[] = [
  {
    name: 'an upgraded socket belongs to the listener',
    setup: serveEcho('upgrade'),
    talk: async (client, stage) => {
      await client.send(upgrade());
      await client.untilReceived('\r\n\r\n');
      await talkEcho(client, stage);
    },
  },
  {
    name: 'bytes after the head of an upgrade are handed over',
    setup: serveEcho('upgrade'),
    talk: async (client, stage) => {
      await client.send(`${upgrade()}early bytes`);
      await client.untilReceived('early bytes');
      await talkEcho(client, stage);
    },
  },
  {
    name: 'an upgrade byte by byte',
    setup: serveEcho('upgrade'),
    talk: async (client, stage) => {
      for (const byte of upgrade()) await client.send(byte);
      await client.untilReceived('\r\n\r\n');
      await talkEcho(client, stage);
    },
  },
  {
    name: 'an upgrade after a keep-alive request',
    setup: serveEcho('upgrade'),
    talk: async (client, stage) => {
      await client.send('GET /first HTTP/1.1\r\nHost: a\r\n\r\n');
      await client.answer();
      await client.send(upgrade());
      await client.untilReceived('101 Switching');
      await talkEcho(client, stage);
    },
  },
  {
    name: 'an upgrade pipelined after a request',
    setup: serveEcho('upgrade'),
    send: `GET /first HTTP/1.1\r\nHost: a\r\n\r\n${upgrade()}`,
    answers: 0,
    then: 'finish',
  },
  {
    name: 'an upgrade with a length',
    setup: serveEcho('upgrade'),
    send: `${upgrade('Content-Length: 5')}hello`,
    answers: 0,
    then: 'finish',
  },
  {
    name: 'an upgrade with a chunked body',
    setup: serveEcho('upgrade'),
    send: `${upgrade('Transfer-Encoding: chunked')}2\r\nab\r\n0\r\n\r\n`,
    answers: 0,
    then: 'finish',
  },
  {
    name: 'a POST upgrade',
    setup: serveEcho('upgrade'),
    send: upgrade().replace('GET', 'POST'),
    answers: 0,
    then: 'finish',
  },
  {
    name: 'a listener that refuses',
    setup: (server, log) =>
      server.on('upgrade', (req, socket) => {
        log('server', 'upgrade', req.url);
        socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
      }),
    send: upgrade(),
    answers: 0,
    then: 'wait',
  },
  {
    name: 'a listener that destroys the socket',
    setup: (server, log) =>
      server.on('upgrade', (req, socket) => {
        log('server', 'upgrade', req.url);
        socket.destroy();
      }),
    send: upgrade(),
    answers: 0,
    then: 'wait',
  },
  {
    name: 'Upgrade without Connection: upgrade is an ordinary request',
    setup: serveEcho('upgrade'),
    send: 'GET / HTTP/1.1\r\nHost: a\r\nUpgrade: echo\r\n\r\n',
  },
  ...['x-upgrade', 'keep-alive, upgraded', 'close'].map((option): Scenario => ({
    name: `Upgrade with Connection: ${option} is an ordinary request`,
    setup: serveEcho('upgrade'),
    send: `GET / HTTP/1.1\r\nHost: a\r\nConnection: ${option}\r\nUpgrade: echo\r\n\r\n`,
    then: option === 'close' ? 'wait' : 'probe',
  })),
  {
    name: 'Connection: upgrade without Upgrade is an ordinary request',
    setup: serveEcho('upgrade'),
    send: 'GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\n\r\n',
  },
  ...['', ' \t ', '\r\nUpgrade: echo'].map((value): Scenario => ({
    name: `Connection: upgrade with Upgrade: ${JSON.stringify(value)}`,
    setup: serveEcho('upgrade'),
    send: `GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade:${value}\r\n\r\n`,
    then: 'finish',
  })),
  {
    name: 'Connection: keep-alive, Upgrade is an upgrade',
    setup: serveEcho('upgrade'),
    send: upgrade().replace('Connection: Upgrade', 'Connection: keep-alive, Upgrade'),
    answers: 0,
    then: 'finish',
  },
  {
    name: 'a server kept open by an upgraded socket can be closed',
    setup: serveEcho('upgrade'),
    talk: async (client, { server, log }) => {
      await client.send(upgrade());
      await client.untilReceived('\r\n\r\n');
      server.closeAllConnections();
      log('client', 'idle closed');
      client.drop();
    },
  },
];

const unheard: Scenario[] = [
  { name: 'an upgrade without a listener is an ordinary request', send: upgrade() },
  { name: 'an upgrade without a listener keeps its body', send: `${upgrade('Content-Length: 5')}hello` },
  {
    name: 'an h2c upgrade without a listener is an ordinary request',
    send: upgrade()
      .replace('Upgrade: echo', 'Upgrade: h2c')
      .replace('Connection: Upgrade', 'Connection: Upgrade, HTTP2-Settings'),
  },
  {
    name: 'CONNECT without a listener closes the connection',
    send: 'CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n',
    answers: 0,
    then: 'wait',
  },
];

const connect = 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n';
const OK = 'HTTP/1.1 200 Connection Established\r\n\r\n';
const connects: Scenario[] = [
  {
    name: 'a response that has its turn behind CONNECT learns that the client is gone',
    ignoreWire: true,
    setup: (server, log) =>
      server.on('connect', (_req, socket) => socket.resume().on('error', () => log('tunnel', 'error'))),
    handler: (req, res, log) => {
      res.on('close', () => log(req.url!, 'close', res.writableFinished));
      if (req.url === '/1') setImmediate(() => res.end('one'));
      else setTimeout(() => res.write('a part'), 20);
    },
    talk: async (client) => {
      const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
      await client.send(get('/1') + get('/2') + connect);
      await client.untilReceived('a part');
      client.drop(true);
    },
  },
  {
    name: 'CONNECT hands the socket over',
    setup: serveEcho('connect', OK),
    talk: async (client, stage) => {
      await client.send(connect);
      await client.untilReceived('\r\n\r\n');
      await talkEcho(client, stage);
    },
  },
  {
    name: 'bytes after the head of CONNECT are handed over',
    setup: serveEcho('connect', OK),
    talk: async (client, stage) => {
      await client.send(`${connect}\x16\x03\x01`);
      await client.untilReceived('\x16\x03\x01');
      await talkEcho(client, stage);
    },
  },
  ...[
    'example.org',
    'example.org:',
    ':443',
    '1.2.3.4:80',
    '[::1]:443',
    'a:99999',
    '/path',
    'http://a/',
    '*',
    'a@b:1',
    'exa mple:1',
    'a?b:1',
  ].map((target): Scenario => ({
    name: `the CONNECT target ${target} has the same result`,
    setup: serveEcho('connect', OK),
    send: `CONNECT ${target} HTTP/1.1\r\nHost: a\r\n\r\n`,
    answers: 0,
    then: 'finish',
  })),
  {
    name: 'CONNECT with a length has no body',
    setup: serveEcho('connect', OK),
    send: 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc',
    answers: 0,
    then: 'finish',
  },
];

const waiting: Scenario = {
  name: 'an upgrade while the answer before it is unfinished',
  setup: (server, log) =>
    server.on('upgrade', (req, socket) => {
      log('server', 'upgrade', req.url);
      socket.end('upgraded');
    }),
  send: `GET /slow HTTP/1.1\r\nHost: a\r\n\r\n${upgrade()}`,
  answers: 0,
  then: 'wait',
  handler: (req, res, log) => {
    watch(req, res, log);
    setImmediate(() => setImmediate(() => res.end('slow')));
  },
};

const closed: Scenario[] = [upgrade(), connect].map((leaving) => ({
  name: `an unanswered response is closed before what its handler hears of the socket, behind ${leaving.slice(0, 7)}`,
  setup: (server) => server.on('upgrade', (_req, socket) => socket.destroy()),
  send: `GET / HTTP/1.1\r\nHost: a\r\n\r\n${leaving}`,
  answers: 0,
  then: 'wait',
  handler: (req, res, log) => {
    req.socket.on('close', () => log('events', 'close of the socket', res.closed));
    res.on('close', () => log('events', 'close of the response'));
  },
}));

/** The body of an upgrade request comes in the read of the request before it, whose answer needs ticks. */
const behindBodies: Scenario[] = Object.entries({
  'with a length': upgrade('Content-Length: 3') + 'abc',
  'in chunks': `${upgrade('Transfer-Encoding: chunked')}1\r\na\r\n0\r\n\r\n`,
  'of which a part has come': `${upgrade('Content-Length: 30')}abc`,
}).flatMap(([what, send]) =>
  [true, false].map((inTick) => ({
    name: `an answer ${inTick ? 'in a tick' : 'behind an await'}, then an upgrade with a body ${what}`,
    setup: (server) =>
      server.on('upgrade', (_, socket) => {
        socket.write('upgraded');
        socket.end();
      }),
    send: `GET / HTTP/1.1\r\nHost: a\r\n\r\n${send}`,
    answers: 0,
    then: 'wait',
    handler: async (_, res) => {
      if (inTick) return process.nextTick(() => res.end('answer'));
      await Promise.resolve();
      res.end('answer');
    },
  })),
) as Scenario[];

/** What a program finds on an upgraded socket, and what becomes of the memory of its first octets. */
const left: Scenario[] = [
  {
    name: 'what is left on an upgraded socket',
    setup: (server, log) =>
      server.on('upgrade', (req, socket, head) => {
        const given = socket as net.Socket & { parser?: unknown };
        log('socket', 'parser', given.parser);
        assert.throws(() => given.setEncoding('utf8'), { code: 'ERR_HTTP_SOCKET_ENCODING' });
        // Not in the memory that Buffers share, which cannot be transferred.
        log('head', 'memory', [head.toString(), head.buffer.byteLength < 1000]);
        socket.end('upgraded');
      }),
    send: `${upgrade()}head`,
    answers: 0,
    then: 'wait',
  },
  {
    name: 'nothing behind the head: the Buffer of one connection is not that of another one',
    setup: (server, log) => {
      const heads = new Set<Buffer>();
      server.on('upgrade', (_req, socket, head) => {
        log('head', 'known', [head.length, heads.has(head)]);
        heads.add(head);
        socket.end('upgraded');
      });
    },
    talk: async (client, { open }) => {
      for (const each of [client, await open()]) {
        await each.send(upgrade());
        await each.untilClose();
      }
    },
  },
];

test('V8 does not keep an upgraded socket as a dictionary, which would take kilobytes for as long as it is open', async () => {
  for (const secure of [false, true]) {
    const { stdout } = await runProgram({
      text: DICTIONARY,
      flags: ['--allow-natives-syntax'],
      args: [`${subject}/http.js`, JSON.stringify(secure ? certificate() : null)],
    });
    assert.deepEqual(JSON.parse(stdout), { engine: true, fast: true }, secure ? 'TLS' : 'TCP');
  }
});

// What makes the stream before the listener gets the request.
for (const [what, first] of [
  ['with domains', "require('node:domain')"],
  [
    'whose read() is replaced',
    'const { read } = IncomingMessage.prototype; IncomingMessage.prototype.read = function (n) { return read.call(this, n); }',
  ],
] as const) {
  for (const event of ['upgrade', 'connect']) {
    test(`the request of '${event}' ends and closes, ${what}`, async () => {
      const { stdout } = await runProgram({ text: ENDING, args: [`${subject}/http.js`, first, event] });
      assert.deepEqual(JSON.parse(stdout), { engine: true, heard: ['end', 'close'] });
    });
  }
}

const ENDING = `
  const http = require(process.argv[1]);
  new Function('require', 'IncomingMessage', process.argv[2])(require, require('node:http').IncomingMessage);
  const event = process.argv[3];
  const server = require('node:http').createServer();
  const engine = http.accelerate(server);
  const heard = [];
  server.on(event, (req, socket) => {
    req.on('end', () => heard.push('end'));
    req.on('close', () => {
      console.log(JSON.stringify({ engine, heard: [...heard, 'close'] }));
      process.exit();
    });
    req.resume();
    setTimeout(() => process.exit(1), 5000);
  });
  server.listen(0, '127.0.0.1', () => {
    const client = require('node:net').connect(server.address().port, '127.0.0.1');
    client.write((event === 'connect' ? 'CONNECT a:1' : 'GET /') + ' HTTP/1.1\\r\\nHost: a\\r\\nConnection: upgrade\\r\\nUpgrade: x\\r\\n\\r\\n');
  });
`;

const DICTIONARY = `
  const http = require(process.argv[1]);
  const options = JSON.parse(process.argv[2]);
  const server = options === null ? http.createServer() : require('node:https').createServer(options);
  const engine = http.accelerate(server);
  server.on('upgrade', (req, socket) => {
    console.log(JSON.stringify({ engine, fast: %HasFastProperties(socket) }));
    process.exit();
  });
  server.listen(0, '127.0.0.1', () => {
    const { connect } = require(options === null ? 'node:net' : 'node:tls');
    const client = connect({ port: server.address().port, host: '127.0.0.1', rejectUnauthorized: false });
    client.write('GET / HTTP/1.1\\r\\nHost: a\\r\\nConnection: upgrade\\r\\nUpgrade: x\\r\\n\\r\\n');
  });
`;

// An option of Node 24 and later; older versions ignore it.
const decides = (answer: (req: http.IncomingMessage) => unknown): http.ServerOptions =>
  ({ shouldUpgradeCallback: answer }) as http.ServerOptions;

const asks = (req: http.IncomingMessage & { upgrade?: boolean }): boolean | undefined => req.upgrade;

const asked: Scenario[] = [
  ['a yes', decides(() => true), true],
  ['a no', decides(() => false), true],
  ['a no by the path', decides(({ url }) => url !== '/chat'), true],
  ['a yes that is no boolean', decides(({ headers }) => headers.upgrade), true],
  // What the client asks for is on the request already.
  ['a yes by what is asked', decides((req) => asks(req)), true],
  ['a no by what is asked', decides((req) => !asks(req)), true],
  ['a yes without a listener', decides(() => true), false],
  ['a no without a listener', decides(() => false), false],
].map(([name, options, listens]) => ({
  name: `shouldUpgradeCallback: ${name as string}`,
  options: options as http.ServerOptions,
  setup: (server, log) => {
    if (listens === true) {
      server.on('upgrade', (req, socket) => {
        log('server', 'upgrade', req.url);
        socket.end('upgraded');
      });
    }
  },
  send: upgrade('Content-Length: 0'),
  answers: 0,
  then: 'finish',
}));

eachSameThroughBothDoors([
  ...listened,
  ...unheard,
  ...connects,
  ...asked,
  ...behindBodies,
  ...left,
  waiting,
  ...closed,
]);
