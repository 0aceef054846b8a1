import assert = require('node:assert/strict');
import { once } from 'node:events';
import http = require('node:http');
import https = require('node:https');
import net = require('node:net');
import { test, type TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import tls = require('node:tls');
import { ours, type Framework } from '../support/framework.js';
import { holderOf, madeBy, type By } from '../support/served.js';
import { certificate } from '../support/certificate.js';
import { runProgram } from '../support/run-program.js';
import { subject } from '../support/subject.js';

// A server from `http.createServer(app)` is taken over at its first request. The connection of that request belongs to
// the engine from its next request on.

const NODE: By = 'node:http';
const ENGINE: By = process.env['NONSTOP_ENGINE'] === 'node' ? NODE : 'engine';

type App = ReturnType<Framework>;

/** Answers with who created the request, and the length of its body. */
function application(prepare: (app: App) => void = () => {}): App {
  const app = ours();
  prepare(app);
  app.use(ours.text({ type: () => true }));
  app.use(async (req, res) => {
    if (req.path === '/later') await turn();
    const { body } = req as { body?: string };
    res.send(`${madeBy(req)} ${body?.length ?? 0}`);
  });
  return app;
}

/** A client that sends the given texts. */
class Client {
  readonly socket: net.Socket;
  private text = '';
  private asked: (() => void) | undefined;

  constructor(socket: net.Socket) {
    this.socket = socket;
    socket.on('error', () => {});
    socket.setEncoding('latin1').on('data', (text: string) => {
      this.text += text;
      this.asked?.();
    });
  }

  send(text: string): void {
    this.socket.write(text);
  }

  /** The body of the next answer. */
  async answer(): Promise<string> {
    for (;;) {
      const match = /^HTTP\/1\.1 200 OK\r\n[^]*?content-length: (\d+)\r\n[^]*?\r\n\r\n/i.exec(this.text);
      const end = match === null ? Infinity : match[0].length + Number(match[1]);
      if (end <= this.text.length) {
        const body = this.text.slice(match![0].length, end);
        this.text = this.text.slice(end);
        return body;
      }
      await new Promise<void>((resolve) => (this.asked = resolve));
    }
  }

  async get(path = '/'): Promise<string> {
    this.send(get(path));
    return this.answer();
  }
}

const get = (path = '/'): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
const post = (body: string): string => `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

async function connect(server: http.Server, t: TestContext): Promise<Client> {
  if (!server.listening) await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as net.AddressInfo;
  const secure = server instanceof https.Server;
  const socket = secure
    ? tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
    : net.connect(port, '127.0.0.1');
  await once(socket, secure ? 'secureConnect' : 'connect');
  t.after(() => {
    socket.destroy();
    server.close();
  });
  return new Client(socket);
}

const servers: Record<string, (app: App) => http.Server> = {
  'http.createServer(app)': (app) => http.createServer(app),
  'https.createServer(options, app)': (app) => https.createServer(certificate(), app),
};

for (const [name, create] of Object.entries(servers)) {
  test(`the engine serves the connection of the first request from its second request on: ${name}`, async (t) => {
    const client = await connect(create(application()), t);
    assert.equal(await client.get(), `${NODE} 0`);
    for (let count = 0; count < 3; count++) assert.equal(await client.get(), `${ENGINE} 0`);
    client.send(post('text'));
    assert.equal(await client.answer(), `${ENGINE} 4`);
  });
}

test('a connection that was open before the takeover moves after its own first answer', async (t) => {
  const server = http.createServer(application());
  const [one, two] = [await connect(server, t), await connect(server, t)];
  assert.equal(await one.get(), `${NODE} 0`);
  assert.equal(await two.get(), `${NODE} 0`);
  assert.equal(await one.get(), `${ENGINE} 0`);
  assert.equal(await two.get(), `${ENGINE} 0`);
});

for (const [name, first, answer] of [
  ['an answer behind an await', get('/later'), '0'],
  ['a request with a body', post('text'), '4'],
] as const) {
  test(`the connection moves after ${name}`, async (t) => {
    const client = await connect(http.createServer(application()), t);
    client.send(first);
    assert.equal(await client.answer(), `${NODE} ${answer}`);
    assert.equal(await client.get(), `${ENGINE} 0`);
  });
}

test("the server's listeners on a moved connection come before the program's, as under node", async (t) => {
  for (const [end, heard] of [
    [(client: Client) => client.socket.end('GET / HT'), ['clientError', 'end']],
    [(client: Client) => client.socket.resetAndDestroy(), ['clientError', 'error']],
  ] as const) {
    const server = http.createServer(application());
    const events: string[] = [];
    const closed = new Promise((resolve) => {
      server.on('connection', (socket) => {
        for (const event of ['end', 'error']) socket.on(event, () => events.push(event));
        socket.on('close', resolve);
      });
    });
    server.on('clientError', (_, socket) => {
      events.push('clientError');
      socket.destroy();
    });
    const client = await connect(server, t);
    assert.equal(await client.get(), `${NODE} 0`);
    assert.equal(await client.get(), `${ENGINE} 0`);
    end(client);
    await closed;
    assert.deepEqual(events, heard);
  }
});

test('a request that has begun to arrive is complete', async (t) => {
  const server = http.createServer(application());
  const client = await connect(server, t);
  const next = post('text');
  for (let at = 1; at < next.length; at += 7) {
    const other = await connect(server, t);
    other.send(get('/later') + next.slice(0, at));
    await other.answer();
    other.send(next.slice(at));
    assert.match(await other.answer(), / 4$/, `cut at ${at}`);
    assert.equal(await other.get(), `${ENGINE} 0`, `cut at ${at}`);
  }
  assert.match(await client.get(), / 0$/);
});

test('requests that were sent together are answered in order, and the following ones by the engine', async (t) => {
  const client = await connect(http.createServer(application()), t);
  client.send(get('/later') + post('four') + get() + post('seventy'));
  const answers = [await client.answer(), await client.answer(), await client.answer(), await client.answer()];
  assert.deepEqual(
    answers.map((answer) => answer.split(' ')[1]),
    ['0', '4', '0', '7'],
  );
  await turn();
  assert.equal(await client.get(), `${ENGINE} 0`);
});

test('the handlers of a request that node serves see an unchanged response of node', async (t) => {
  const seen: unknown[] = [];
  const app = application((prepared) => {
    prepared.use((req, res, next) => {
      if (madeBy(req) === NODE) {
        seen.push(res.listenerCount('finish'), res.listenerCount('close'), Object.keys(res).includes('detachSocket'));
      }
      next();
    });
  });
  const client = await connect(http.createServer(app), t);
  await client.get();
  assert.deepEqual(seen, [1, 0, false]);
});

/** As a program does that follows a response to its end. */
function wrapDetachSocket(res: http.ServerResponse, called: () => void = () => {}): void {
  const { detachSocket } = res;
  res.detachSocket = (socket) => {
    called();
    detachSocket.call(res, socket);
  };
}

test('a detachSocket() that a program puts on the response behind the application is called, and the connection moves', async (t) => {
  let calls = 0;
  const server = http.createServer(application());
  server.once('request', (_req, res: http.ServerResponse) => wrapDetachSocket(res, () => calls++));
  const client = await connect(server, t);
  assert.equal(await client.get(), `${NODE} 0`);
  assert.equal(await client.get(), `${ENGINE} 0`);
  assert.equal(calls, 1);
});

const stays: Record<string, (server: http.Server, app: App) => void> = {
  'the server counts the requests of a connection': (server) => (server.maxRequestsPerSocket = 100),
  'the socket has a listener for data': (server) => server.on('connection', (socket) => socket.on('data', () => {})),
  'the application leaves its servers to node': (_server, app) => app.set('http engine', 'node'),
  'a program has put a detachSocket() of its own on the response': (server) => {
    server.prependListener('request', (_req, res: http.ServerResponse) => wrapDetachSocket(res));
  },
  'node has the server again': (server) => {
    server.once('request', (_req, res: http.ServerResponse) => {
      const [listener] = new http.Server().listeners('connection');
      res.once('finish', () => server.removeAllListeners('connection').on('connection', listener as () => void));
    });
  },
};

for (const [reason, prepare] of Object.entries(stays)) {
  test(`the connection stays with node where ${reason}`, async (t) => {
    const app = application();
    const server = http.createServer(app);
    prepare(server, app);
    const client = await connect(server, t);
    for (let count = 0; count < 3; count++) assert.equal(await client.get(), `${NODE} 0`);
  });
}

test('a moved connection is idle: closeIdleConnections() and keepAliveTimeout end it', async (t) => {
  const server = http.createServer(application());
  const [one, two] = [await connect(server, t), await connect(server, t)];
  for (const client of [one, two]) await client.get();
  for (const client of [one, two]) assert.equal(await client.get(), `${ENGINE} 0`);
  server.closeIdleConnections();
  await Promise.all([one, two].map(({ socket }) => once(socket, 'close')));

  server.keepAliveTimeout = 5;
  const three = await connect(server, t);
  await three.get();
  if (!three.socket.destroyed) await once(three.socket, 'close');
});

test('a moved connection that was not used since is idle, too', async (t) => {
  const server = http.createServer(application());
  const accepted = once(server, 'connection');
  const client = await connect(server, t);
  const [socket] = (await accepted) as [net.Socket];
  await client.get();
  // The server is in this process: its socket shows when the connection has moved.
  while (holderOf(socket) !== ENGINE) await turn();
  const closed = once(client.socket, 'close');
  server.closeIdleConnections();
  await closed;
});

test('the next requests of a moved connection have no timeout from the idle time', async (t) => {
  const timeouts: unknown[] = [];
  const server = http.createServer(
    application((app) =>
      app.use((req, _res, next) => {
        timeouts.push(req.socket.timeout ?? 0);
        next();
      }),
    ),
  );
  const client = await connect(server, t);
  // The first of them is the one that follows the move.
  while ((await client.get()) !== `${ENGINE} 0`);
  await client.get();
  assert.deepEqual(new Set(timeouts), new Set([0]));
});

test('a moved connection can leave HTTP', async (t) => {
  const server = http.createServer(application());
  server.on('upgrade', (_req, socket: net.Socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\nhello'));
  const client = await connect(server, t);
  await client.get();
  await client.get();
  client.send('GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n');
  const text = (await once(client.socket, 'data')) as string[];
  assert.match(text[0], /^HTTP\/1\.1 101 .*hello$/s);
});

test("the user's listeners stay on the socket, and get 'close'", async (t) => {
  const server = http.createServer(application());
  const heard: string[] = [];
  const closed = new Promise<void>((resolve) => {
    server.on('connection', (socket) => {
      socket.on('end', () => heard.push('end'));
      socket.on('close', () => resolve());
    });
  });
  const client = await connect(server, t);
  await client.get();
  assert.equal(await client.get(), `${ENGINE} 0`);
  client.socket.end();
  await closed;
  assert.deepEqual(heard, ['end']);
});

const LEAVING = `
  const net = require('node:net');
  const { AsyncLocalStorage } = require('node:async_hooks');
  const store = new AsyncLocalStorage();
  const express = require(process.argv[1]);
  process.on('uncaughtException', () => {});
  const app = express();
  app.use(({ url, socket }, res) => {
    if (url === '/second') console.log(store.getStore(), socket.parser == null ? 'engine' : 'node:http');
    res.end('x');
  });
  const server = require('node:http').createServer(app).listen(0, '127.0.0.1', async () => {
    const ask = (client, url) => new Promise((resolve) => {
      client.once('data', resolve);
      client.write('GET ' + url + ' HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n');
    });
    // A tick throws in the turn of the loop before the server accepts these: it leaves its store to the handles of their sockets.
    const clients = [1, 2, 3].map(() => net.connect(server.address().port, '127.0.0.1'));
    store.run('of another', () => setImmediate(() => process.nextTick(() => { throw new Error('in a tick'); })));
    await new Promise((resolve) => setTimeout(resolve, 20));
    for (const url of ['/first', '/second']) {
      for (const client of clients) await ask(client, url);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    process.exit();
  });
`;

test("handlers of connections that were handed over do not start in another request's store", async () => {
  const played = await Promise.all(
    ['express', `${subject}/index.js`].map((module) => runProgram({ text: LEAVING, args: [module] })),
  );
  assert.deepEqual(
    played.map(({ stdout }) => stdout),
    ['node:http', 'engine'].map((by) => `undefined ${by}\n`.repeat(3)),
  );
});
