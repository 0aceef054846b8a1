import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { test } from 'node:test';
import { addressOf, canServe, listenWith, noteListening } from '../../src/production/listening.js';
import { readOptions } from '../../src/production/options.js';
import { traffic } from '../../src/production/traffic.js';

noteListening();
// Test runners load the module again for each file.
noteListening();

const settings = readOptions({ port: 0, host: '127.0.0.1', keepAlive: '7s' });
const answer: http.RequestListener = (_req, res) => void res.end('served');

/** Asks a server, and closes it. */
async function closing(server: http.Server): Promise<string> {
  const { port } = server.address() as net.AddressInfo;
  const [answered] = (await once(http.get({ port, host: '127.0.0.1', agent: false }), 'response')) as [
    http.IncomingMessage,
  ];
  const body = (await answered.toArray()).join('');
  server.close();
  await once(server, 'close');
  return body;
}

/** An application with the methods of Fastify's that are used. */
function fastifyLike(): {
  server: http.Server;
  listened: number;
  ready(): Promise<void>;
  listen(where: object): Promise<void>;
} {
  const server = http.createServer(answer);
  return {
    server,
    listened: 0,
    ready: () => Promise.resolve(),
    async listen(where) {
      this.listened++;
      server.listen(where);
      await once(server, 'listening');
    },
  };
}

const TARGETS: Readonly<Record<string, () => unknown>> = {
  'a handler': () => answer,
  'a server': () => http.createServer(answer),
  'an application of Koa': () => ({
    callback: () => answer,
    listen: () => assert.fail('its own server is not the engine’s'),
  }),
  'an application of Fastify': fastifyLike,
};

for (const [name, make] of Object.entries(TARGETS)) {
  test(`${name} listens, with the keepAliveTimeout of the options`, async () => {
    const target = make();
    assert.ok(canServe(target));
    const server = await listenWith(target, settings);
    assert.equal(server.keepAliveTimeout, 7000);
    assert.equal(await closing(server), 'served');
  });
}

test('without the option, a server keeps the keepAliveTimeout that its program has set', async () => {
  const target = http.createServer(answer);
  target.keepAliveTimeout = 3000;
  const server = await listenWith(target, readOptions({ port: 0, host: '127.0.0.1' }));
  assert.equal(server.keepAliveTimeout, 3000);
  assert.equal(await closing(server), 'served');
});

const ADDRESSES: readonly (readonly [found: unknown, shown: string])[] = [
  [{ address: '127.0.0.1', family: 'IPv4', port: 80 }, '127.0.0.1:80'],
  [{ address: '0.0.0.0', family: 'IPv4', port: 80 }, 'localhost:80 (all addresses)'],
  [{ address: '::', family: 'IPv6', port: 80 }, 'localhost:80 (all addresses)'],
  [{ address: '::1', family: 'IPv6', port: 80 }, '[::1]:80'],
];

test('an address is shown as the URL that a browser takes', () => {
  for (const [found, shown] of ADDRESSES) {
    const server = { address: () => found } as http.Server;
    assert.equal(addressOf(server), `http://${shown}`);
    assert.equal(addressOf(Object.assign(server, { setSecureContext: () => undefined })), `https://${shown}`);
  }
  assert.equal(addressOf({ address: () => '/run/app.sock' } as http.Server), '/run/app.sock');
  assert.equal(addressOf({ address: () => null } as http.Server), '');
});

test('a server that listens already goes on at its address', async () => {
  const server = http.createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  assert.equal(await listenWith(server, settings), server);
  assert.equal(await closing(server), 'served');
});

test('a server that was told to listen goes on at that address, and one that could not listen gets that of the options', async () => {
  const told = http.createServer(answer).listen(0, 'localhost');
  assert.equal(told.listening, false);
  const elsewhere = readOptions({ port: 1, host: '127.0.0.1' });
  assert.equal(await listenWith(told, elsewhere), told);
  assert.notEqual((told.address() as net.AddressInfo).port, 1);
  const refused = http.createServer(answer).listen((told.address() as net.AddressInfo).port, 'localhost');
  await once(refused, 'error');
  assert.equal(await listenWith(refused, settings), refused);
  assert.equal(await closing(refused), 'served');
  told.close();
  await once(told, 'close');
  const usual = http.createServer();
  for (const event of ['listening', 'close']) {
    for (const server of [told, refused]) assert.equal(server.listenerCount(event), usual.listenerCount(event));
  }
});

test('an application of Fastify that listens already is not asked to listen again, which would fail', async () => {
  const app = fastifyLike();
  await app.listen({ port: 0, host: '127.0.0.1' });
  traffic.follow(app.server);
  assert.equal(await listenWith(app, settings), app.server);
  assert.equal(app.listened, 1);
  assert.equal(await closing(app.server), 'served');
});

test("errors of an application of Fastify are its own, and those of its server's listen() are told as such", async () => {
  const fails = { ...fastifyLike(), ready: () => Promise.reject(new Error('no database')) };
  await assert.rejects(
    listenWith(fails, settings),
    (error: Error) => error.message === 'no database' && !('code' in error),
  );
  const { server } = fastifyLike();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  const taken = readOptions({ port, host: '127.0.0.1' });
  const second = fastifyLike();
  second.listen = async (where) => void (await once(second.server.listen(where), 'listening'));
  await assert.rejects(listenWith(second, taken), { code: 'ERR_NONSTOP_LISTEN' });
  assert.equal(await closing(server), 'served');
});

for (const [name, target] of Object.entries({
  nothing: undefined,
  null: null,
  'an object': {},
  'an object with listen()': { listen: () => undefined },
  'a server that is not of HTTP': net.createServer(),
  'a function of one parameter': (_req: unknown) => undefined,
})) {
  test(`${name} cannot serve`, () => assert.equal(canServe(target), false));
}
