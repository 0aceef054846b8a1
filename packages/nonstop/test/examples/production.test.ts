import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import type http from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { after, before, describe, mock, test } from 'node:test';
import nodeHttp = require('node:http');
import { inRepo } from '../support/paths.js';
import { ask } from '../support/nonstop-command.js';
import { nonstopHttp } from '../support/subject.js';

/** A Valkey that fails for everything except reading, as a worker sees one that fails in the middle of a request. */
const away = async (): Promise<never> => Promise.reject(new Error('the store is away'));
const events = new EventEmitter();
const client = {
  on(name: string, listener: () => void) {
    events.on(name, listener);
    return client;
  },
  connect: async () => client,
  close: async () => undefined,
  get: async () => JSON.stringify({ cookie: {}, orders: 7 }),
  incr: async (key: string) => (key === 'order:1' ? 1 : away()),
  // The read of an order, and of a session.
  expire: async (key: string) => (key.startsWith('order:') ? 1 : away()),
  set: away,
};
const file = inRepo('examples/production/app.js');
const load = createRequire(file);
load.cache[load.resolve('redis')] = { exports: { createClient: () => client } } as unknown as NodeJS.Module;
const app = load(file) as http.RequestListener;

const doors = { 'node:http': nodeHttp, 'the engine': nonstopHttp as unknown as typeof nodeHttp };

describe('the store of the example fails during a request', () => {
  before(() => mock.method(console, 'error', () => undefined));
  after(() => {
    mock.restoreAll();
    delete load.cache[load.resolve('redis')];
  });

  for (const [door, { createServer }] of Object.entries(doors)) {
    /** A request that starts a session, and three more in it. @returns the status of each, and the number of connections used */
    const ofOneSession = async (options: http.RequestOptions): Promise<[number[], number]> => {
      const ports = new Set<number | undefined>();
      const server = createServer((req, res) => {
        ports.add(req.socket.remotePort);
        app(req, res);
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const agent = new nodeHttp.Agent({ keepAlive: true, maxSockets: 1 });
      const statuses: number[] = [];
      let cookie = '';
      for (const each of [{ method: 'POST', path: '/orders/1' }, options, options, options]) {
        const answer = await ask(port, { ...each, agent, headers: { cookie } });
        statuses.push(answer.status);
        cookie ||= answer.headers['set-cookie']![0].split(';', 1)[0];
        // express-session reports it two turns later.
        for (const _ of [1, 2, 3]) await new Promise((resolve) => setImmediate(resolve));
      }
      agent.destroy();
      server.close();
      return [statuses, ports.size];
    };

    test(`a session cannot be saved after its answer: the connection stays open, on ${door}`, async () => {
      assert.deepEqual(await ofOneSession({ method: 'GET', path: '/orders' }), [[200, 200, 200, 200], 1]);
    });

    test(`a request fails, and its session could not be saved: the connection stays open, on ${door}`, async () => {
      assert.deepEqual(await ofOneSession({ method: 'POST', path: '/orders/2' }), [[200, 500, 500, 500], 1]);
    });
  }
});

test('the example says once what each try to connect says, and again after a connection', () => {
  const refused = new Error('connect ECONNREFUSED 127.0.0.1:6379');
  const log = mock.method(console, 'error', () => undefined);
  const lines = (): unknown[] => log.mock.calls.map((call) => (call.arguments as unknown[])[0]);
  for (const _ of [1, 2, 3]) events.emit('error', refused);
  assert.deepEqual(lines(), [
    'valkey: connect ECONNREFUSED 127.0.0.1:6379; start Valkey or Redis, or set VALKEY_URL. Tries go on until it answers.',
  ]);
  events.emit('ready');
  events.emit('error', refused);
  assert.equal(lines().length, 2);
  log.mock.restore();
});
