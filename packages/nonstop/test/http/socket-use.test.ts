import assert = require('node:assert/strict');
import { once } from 'node:events';
import type http = require('node:http');
import net = require('node:net');
import { test } from 'node:test';
import { setTimeout as later } from 'node:timers/promises';
import { eachSameThroughBothDoors, type Log, type Scenario } from '../support/both-doors.js';
import { doors } from '../support/doors.js';

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
const post = (path: string, length: number): string =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`;

/** Turns of the loop after which an act of the client would have been noticed. */
const TURNS = 50;

/** Timeout of a socket, in ms; and a pause that is long enough for it to fire. */
const TIMEOUT = 50;
const QUIET = 300;

let unread: ((req: http.IncomingMessage) => void) | undefined;

// Continues a handler that has paused its socket; a request on another connection calls it.
let held: (() => void) | undefined;

const pausing: Scenario[] = [
  {
    name: 'before an unread body is read, the end of the client is not seen',
    talk: async (client, { log }) => {
      const reached = new Promise<http.IncomingMessage>((resolve) => (unread = resolve));
      // Two reads: after the second the request holds as much as it takes unread.
      await client.send(post('/long', 70_000) + 'x'.repeat(65_586));
      const req = await reached;
      client.finish();
      for (let i = 0; i < TURNS; i++) await new Promise((resolve) => setImmediate(resolve));
      log('req', 'resume()');
      req.resume();
      await client.untilClose();
    },
    handler: (req, _res, log) => {
      for (const event of ['aborted', 'error']) req.on(event, () => log('req', event));
      req.socket.on('end', () => log('socket', 'end'));
      unread!(req);
    },
  },
  {
    name: 'a handler that pauses its socket and answers does not hold up the next request',
    talk: async (client) => {
      for (const path of ['/pause', '/2', '/pause', '/4']) {
        await client.send(get(path));
        await client.answer();
      }
    },
    handler: ({ url, socket }, res, log) => {
      log('handler', `${url}`);
      if (url === '/pause') socket.pause();
      res.end(url);
    },
  },
  {
    name: 'a handler that pauses its socket and has not answered does not stop the handler of the next request',
    talk: async (client) => {
      await client.send(get('/pause'));
      await client.send(get('/2'));
      await client.answer();
      await client.answer();
    },
    handler: ({ url, socket }, res, log) => {
      log('handler', `${url}`);
      if (url === '/pause') {
        socket.pause();
        held = () => res.end(url);
      } else {
        held!();
        res.end(url);
      }
    },
  },
  {
    name: 'a socket that is paused between two requests is not read before resume()',
    talk: async (client, { open, log }) => {
      const other = await open();
      await client.send(get('/pause-later'));
      await client.answer();
      await client.send(get('/2'));
      await client.send(get('/3'));
      // Once these are answered, the others would have been read too.
      for (let i = 0; i < 3; i++) {
        await other.send(get('/other'));
        await other.answer();
      }
      log('handler', 'resume');
      held!();
      await client.answer();
      await client.answer();
    },
    handler: ({ url, socket }, res, log) => {
      log('handler', `${url}`);
      if (url === '/pause-later') {
        held = () => void socket.resume();
        res.on('finish', () => socket.pause());
      }
      res.end(url);
    },
  },
  {
    name: 'a socket paused before its body came is read again when the request has been answered',
    talk: async (client) => {
      await client.send(post('/pause', 4));
      await client.answer();
      await client.send(`body${get('/2')}`);
      await client.answer();
    },
    handler: ({ url, socket }, res, log) => {
      log('handler', `${url}`);
      if (url === '/pause') socket.pause();
      res.end(url);
    },
  },
  {
    name: 'a body whose reader pauses the socket arrives when the reader asks for it',
    talk: async (client, { open }) => {
      const other = await open();
      await client.send(post('/pause', 8));
      await client.send('half');
      await other.send(get('/other'));
      await other.answer();
      await client.send(`half${get('/2')}`);
      held!();
      await client.answer();
      await client.answer();
    },
    handler: (req, res, log) => {
      const { url, socket } = req;
      if (url !== '/other') log('handler', `${url}`);
      if (url !== '/pause') {
        res.end(url);
        return;
      }
      socket.pause();
      let body = '';
      held = () =>
        req
          .on('data', (chunk: Buffer) => (body += chunk.toString()))
          .on('end', () => {
            log('handler', 'body', body);
            res.end(url);
          });
    },
  },
];

const listening: Scenario[] = [
  {
    name: "a 'readable' listener of the socket gets the data, and the next requests are answered",
    talk: async (client) => {
      for (const path of ['/listen', '/2', '/3']) {
        await client.send(get(path));
        await client.answer();
      }
    },
    handler: ({ url, socket }, res, log) => {
      if (url === '/listen') {
        socket.on('readable', () => {
          for (let data: unknown; (data = socket.read()) !== null;) log('listener', String(data));
        });
      }
      res.end(url);
    },
  },
  {
    name: 'a data listener that pauses the socket gets the next request',
    talk: async (client) => {
      for (const path of ['/listen', '/2', '/3']) {
        await client.send(get(path));
        await client.answer();
      }
    },
    handler: ({ url, socket }, res, log) => {
      if (url === '/listen') socket.on('data', (data: Buffer) => log('listener', data.toString()));
      socket.pause();
      res.end(url);
    },
  },
  {
    name: 'the connection works after a data listener was removed',
    talk: async (client) => {
      for (const path of ['/listen', '/2', '/3', '/4']) {
        await client.send(get(path));
        await client.answer();
      }
    },
    handler: ({ url, socket }, res, log) => {
      if (url === '/listen') socket.once('data', (data: Buffer) => log('listener', data.toString()));
      res.end(url);
    },
  },
];

const setters: Record<string, (req: http.IncomingMessage, res: http.ServerResponse, heard: () => void) => void> = {
  'socket.setTimeout()': ({ socket }, _res, heard) => socket.setTimeout(TIMEOUT, heard),
  'req.setTimeout()': (req, _res, heard) => req.setTimeout(TIMEOUT, heard),
  'res.setTimeout()': (_req, res, heard) => res.setTimeout(TIMEOUT, heard),
};

const timeouts: Scenario[] = Object.entries(setters).flatMap(([name, set]): Scenario[] => [
  {
    name: `${name} ends with the answer`,
    talk: async (client) => {
      await client.send(get('/1'));
      await client.answer();
      await later(QUIET);
      await client.send(get('/2'));
      await client.answer();
    },
    handler: (req, res, log) => {
      log('handler', `${req.url}`);
      if (req.url === '/1') set(req, res, () => log('handler', 'timeout'));
      res.end(req.url);
    },
  },
  {
    name: `${name} gets 'timeout' while the answer is awaited`,
    talk: async (client) => {
      await client.send(get('/1'));
      await client.untilClose();
    },
    handler: (req, res, log) => {
      set(req, res, () => {
        log('handler', 'timeout');
        req.socket.destroy();
      });
    },
  },
]);

timeouts.push(
  {
    name: 'server.timeout does not end an idle connection that may be kept alive, and counts again from the next request on',
    setup: (server, log) => {
      server.timeout = TIMEOUT;
      server.on('timeout', (socket) => {
        log('server', 'timeout');
        socket.destroy();
      });
    },
    talk: async (client) => {
      await client.send(get('/1'));
      await client.answer();
      await later(QUIET);
      await client.send(get('/never'));
      await client.untilClose();
    },
    handler: ({ url }, res, log) => {
      log('handler', `${url}`);
      if (url !== '/never') res.end(url);
    },
  },
  {
    name: 'the end of the keep-alive time is a timeout of the socket',
    options: { keepAliveTimeout: 20 },
    send: get('/1'),
    handler: ({ socket }, res, log) => {
      socket.on('timeout', () => log('socket', 'timeout'));
      res.end();
    },
    then: 'wait',
  },
);

const ended: Scenario[] = [
  {
    name: 'an answer after socket.end() is not sent, and reports it',
    send: get('/'),
    answers: 0,
    then: 'wait',
    handler: ({ socket }, res, log) => {
      for (const event of ['prefinish', 'finish', 'close']) res.on(event, () => log('res', event));
      socket.end();
      res.end('whole');
      log('res', 'right after', [res.writableLength, res.writableFinished, res.headersSent]);
      res.on('close', () => log('res', 'in the end', [res.writableLength, res.writableFinished, res.destroyed]));
    },
  },
];

const drains: Scenario[] = ['x'.repeat(100_000), Buffer.alloc(100_000), '€'.repeat(50_000), 'small'].map((body) => ({
  name: `the socket reports when ${typeof body} of ${body.length} has been sent`,
  send: get('/'),
  handler: ({ socket }, res, log) => {
    socket.on('drain', () => log('socket', 'drain', [socket.writableNeedDrain, res.writableFinished]));
    res.end(body);
    log('socket', 'right after', socket.writableNeedDrain);
  },
}));

const wholeAnswers: Record<string, (res: http.ServerResponse) => unknown> = {
  'end() without data': (res) => res.end(),
  'end() with a text': (res) => res.end('text'),
  'writeHead(), and end() without data': (res) => res.writeHead(204).end(),
  'writeHead(), and end() with a text': (res) => res.writeHead(200).end('text'),
  'end() without data, a turn behind write()': (res) => {
    res.write('x');
    setImmediate(() => res.end());
  },
};

/** node corks the socket for an `end()` that makes the head or has data: then a socket that gets more than its buffer emits 'drain' although the kernel takes it at once. */
const smallBuffers: Scenario[] = Object.entries(wholeAnswers).flatMap(([name, answer]) =>
  [100, 1000].flatMap((highWaterMark) =>
    [1, 20].map((answers) => ({
      name: `'drain' of a socket with a buffer of ${highWaterMark} octets: ${name}, ${answers} at once`,
      options: { highWaterMark },
      send: get('/').repeat(answers),
      answers,
      setup: (server, log) => {
        server.on('connection', (socket) => {
          log('connection', 'begins');
          socket.on('drain', () => log('socket', 'drain'));
        });
      },
      handler: (_req, res) => answer(res),
    })),
  ),
);

const replaced: Scenario[] = [
  {
    // As middleware does that gives a request the address of a proxy's client.
    name: 'a body that comes in parts is read behind a replaced req.socket',
    talk: async (client) => {
      await client.send(post('/', 6) + 'a');
      for (const part of ['bc', 'def']) {
        await later(5);
        await client.send(part);
      }
      await client.answer();
      client.drop();
    },
    handler: async (req, res) => {
      Object.assign(req, { socket: { remoteAddress: '192.0.2.1' } });
      await later(1);
      const parts: unknown[] = [];
      for await (const part of req) parts.push(part);
      res.end(parts.join(''));
    },
  },
  {
    // As the one above, with a socket that can do all that a socket can.
    name: 'a timeout of a request whose socket is an object that inherits from its socket',
    send: get('/'),
    handler: (req, res, log) => {
      const { socket } = req;
      const inheriting = Object.create(socket, { remoteAddress: { value: '192.0.2.1' } }) as net.Socket;
      Object.assign(req, { socket: inheriting });
      req.setTimeout(60_000);
      log('timeout', 'set', [inheriting.timeout, socket.timeout, inheriting.setTimeout(0) === inheriting]);
      res.end();
    },
  },
  {
    name: 'a client that leaves ends a request whose socket was set to null',
    talk: async (client, { server }) => {
      const came = once(server, 'request');
      await client.send(get('/'));
      const [req] = (await came) as [http.IncomingMessage];
      const closed = new Promise((resolve) => req.once('close', resolve));
      client.drop();
      await closed;
    },
    handler: (req, _res, log) => {
      Object.assign(req, { socket: null });
      req.on('close', () => log('request', 'close'));
    },
  },
];

/** Writes a part, and takes the socket from the response once that is sent. */
async function writeAndDetach(res: http.ServerResponse, part: string, log: Log): Promise<net.Socket> {
  const socket = res.socket!;
  for (const event of ['timeout', 'drain', 'close']) res.on(event, () => log('res', event));
  socket.on('close', () => log('socket', 'close'));
  res.write(part);
  await new Promise((resolve) => setImmediate(resolve));
  res.detachSocket(socket);
  return socket;
}

const detached: Scenario[] = [
  {
    name: 'a response whose socket was detached hears nothing of its timeout',
    send: get('/'),
    answers: 0,
    then: 'wait',
    handler: async (_req, res, log) => (await writeAndDetach(res, 'part', log)).emit('timeout'),
  },
  {
    name: 'octets that are refused are answered although a response whose socket was detached has begun',
    talk: async (client) => {
      await client.send(get('/'));
      await client.untilReceived('part');
      await client.send('no HTTP\r\n\r\n');
      await client.untilClose();
    },
    handler: (_req, res, log) => writeAndDetach(res, 'part', log),
  },
  {
    name: 'a response whose socket was detached does not close with it',
    talk: async (client) => {
      await client.send(get('/'));
      await client.untilReceived('part');
      client.drop();
    },
    handler: (_req, res, log) => writeAndDetach(res, 'part', log),
  },
  {
    name: "a response whose socket was detached hears nothing of its 'drain'",
    options: { highWaterMark: 100 },
    talk: async (client) => {
      await client.send(get('/'));
      await client.untilReceived('part');
    },
    handler: async ({ socket }, res, log) => {
      socket.cork();
      await writeAndDetach(res, 'x'.repeat(1000) + 'part', log);
      socket.on('drain', () => log('socket', 'drain'));
      socket.uncork();
    },
    check: ({ events }) => assert.deepEqual(events['socket'], ['drain', 'close']),
  },
];

eachSameThroughBothDoors([
  ...detached,
  ...replaced,
  ...pausing,
  ...listening,
  ...timeouts,
  ...ended,
  ...drains,
  ...smallBuffers,
]);

for (const door of doors) {
  test(`${door.name}: a client that reads its answer slowly is not idle`, async () => {
    const length = 20_000_000;
    const server = door.createServer({ keepAliveTimeout: TIMEOUT }, (_req, res) => {
      res.end(Buffer.alloc(length));
    });
    // Node 24 and later have this allowance.
    (server as { keepAliveTimeoutBuffer?: number }).keepAliveTimeoutBuffer = 0;
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = net.connect((server.address() as net.AddressInfo).port, '127.0.0.1');
    try {
      client.write(get('/'));
      await once(client, 'readable');
      await later(2 * QUIET);
      let received = 0;
      client.on('data', (data: Buffer) => {
        received += data.length;
        if (received > length) client.destroy();
      });
      client.on('end', () => client.destroy());
      await once(client, 'close');
      assert.ok(received > length, `received ${received}`);
    } finally {
      client.destroy();
      server.close();
    }
  });
}
