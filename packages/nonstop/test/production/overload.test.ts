import assert from 'node:assert/strict';
import { once } from 'node:events';
import type http from 'node:http';
import net, { type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { Held } from '../../src/production/held.js';
import { clientOf, Gate } from '../../src/production/overload.js';
import { Command, ask, programs, until, type Answered } from '../support/nonstop-command.js';

const cwd = programs({
  'app.cjs': `
    const app = require('express')();
    const held = [];
    app.use((req, res, next) => { console.log('handler', req.url); next(); });
    app.get('/held', (req, res) => { held.push(res); });
    app.get('/go', (req, res) => { for (const each of held.splice(0)) each.send('went on'); res.send('gone'); });
    app.get('/readyz', (req, res) => res.send('of the application'));
    app.get('/busy', (req, res) => { const end = Date.now() + 50; while (Date.now() < end); res.send('done'); });
    app.get('/block', (req, res) => { res.send('blocks'); setImmediate(() => { const end = Date.now() + 1000; while (Date.now() < end); }); });
    module.exports = app;`,
  'upgrades.cjs': `
    const held = [];
    const server = require('node:http').createServer((req, res) => {
      console.log('handler', req.url);
      if (req.url === '/go') for (const each of held.splice(0)) each.end('went on');
      if (req.url === '/held') held.push(res);
      else res.end('gone');
    });
    for (const event of ['upgrade', 'connect']) server.on(event, (req, socket) => {
      console.log(event, req.url);
      socket.write('HTTP/1.1 101 Switching Protocols\\r\\nConnection: Upgrade\\r\\nUpgrade: echo\\r\\n\\r\\n');
      socket.on('error', () => {}).pipe(socket);
    });
    module.exports = server;`,
  'continues.cjs': `
    const server = require('node:http').createServer((req, res) => { console.log('handler', req.url); });
    server.on('checkContinue', (req, res) => {
      console.log('continues', req.url);
      res.writeContinue();
      server.emit('request', req, res);
    });
    module.exports = server;`,
  'continues-later.cjs': `
    const server = require('node:http').createServer((req, res) => res.end('answered ' + req.url));
    server.on('checkContinue', (req, res) => {
      console.log('waits');
      server.once('next', () => { res.writeContinue(); server.emit('request', req, res); });
    });
    server.on('request', (req) => req.url === '/next' && server.emit('next'));
    module.exports = server;`,
});

const clients: readonly (readonly [address: string, client: string])[] = [
  ['192.0.2.1', '192.0.2.1'],
  ['192.0.2.1:4711', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:DB8:0:0:9:8:7:6', '2001:db8:0:0::/64'],
  ['[2001:db8:1:2::1]:4711', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::1]', '2001:db8:1:2::/64'],
  ['a::b:c:d:e:f', 'a:0:0:b::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['64:ff9b::ffff:1:2', '64:ff9b:0:0::/64'],
  ['::ffff:0:192.0.2.1', '0:0:0:0::/64'],
  ['unknown', 'unknown'],
  ['a:b', 'a:b'],
  ['', ''],
];

test('the client of an address is its network of IPv6, without a port', () => {
  for (const [address, client] of clients) assert.equal(clientOf(address), client);
});

test('the requests of several clients on one connection of a proxy count each for its own', (t) => {
  const limits = { maxRequests: 0, maxDelay: 0, maxPerAddress: 1, clientAddress: 'forwarded', retryAfter: 1 } as const;
  const gate = new Gate(limits, () => 1);
  t.after(() => gate.stop());
  const connection = (): ((client: string) => { refused: boolean; end(): void }) => {
    const held = new Held({} as Socket);
    return (client) => {
      const message: object = { url: '/', headers: { 'x-forwarded-for': client }, socket: {} };
      const req = message as http.IncomingMessage;
      const res = { writeHead: () => res, end: () => res } as unknown as http.ServerResponse;
      held.add(req, res, 0);
      const refused = gate.refuses(held, req, res, performance.now());
      return {
        refused,
        end() {
          held.take(res);
          gate.leave(held, res);
        },
      };
    };
  };
  const ask = connection();
  const one = ask('192.0.2.1');
  one.end();
  const two = ask('192.0.2.2');
  assert.deepEqual([one.refused, two.refused], [false, false]);
  const [again, other] = [connection()('192.0.2.1'), connection()('192.0.2.2')];
  assert.deepEqual([again.refused, other.refused], [false, true], 'the second client has one under way');
});

/** The number of tries of a test that a busy machine may spoil: the client comes too late, or the server is late by itself. */
const TRIES = 10;

const run = async (...options: string[]): Promise<{ command: Command; port: number }> => {
  const command = new Command(['--port', '0', '--host', '127.0.0.1', ...options, 'app.cjs'], { cwd });
  return { command, port: (await command.ready()).port };
};

const refusal = ({ status, headers, body }: Answered): unknown[] => [status, headers['retry-after'], body];

interface Upgraded {
  readonly socket: net.Socket;
  /** What came so far. */
  text(): string;
  /** Resolves when a text that is sent comes back. */
  echo(sent: string): Promise<void>;
}

/** Asks for an upgrade; resolves when the head of the answer is there. */
async function upgraded(port: number, head: string): Promise<Upgraded> {
  const socket = net.connect(port, '127.0.0.1').on('error', () => undefined);
  let text = '';
  socket.setEncoding('latin1').on('data', (part: string) => (text += part));
  const until = async (wanted: string): Promise<void> => {
    while (!text.includes(wanted)) await once(socket, 'data');
  };
  socket.write(`${head} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n`);
  await until('\r\n\r\n');
  const echo = async (sent: string): Promise<void> => {
    socket.write(sent);
    await until(sent);
  };
  return { socket, text: () => text, echo };
}

describe('a limit of overload', () => {
  test('of requests under way answers 503 before any handler runs, and answers health requests', async () => {
    const { command, port } = await run('--max-requests', '2', '--retry-after', '7');
    const held = [1, 2].map(() => assert.rejects(ask(port, { path: '/held' })));
    await command.line(/^handler \/held$/);
    await command.line(/^handler \/held$/, command.lines.indexOf('handler /held') + 1);
    assert.deepEqual(refusal(await ask(port, { path: '/one-too-many', method: 'POST', body: 'x'.repeat(100_000) })), [
      503,
      '7',
      'Service Unavailable',
    ]);
    // node has sent 100 (Continue) before. Whether the client still sends the body is not known.
    const headers = { expect: '100-continue', 'content-length': 5, connection: 'keep-alive' };
    const expecting = await ask(port, { path: '/one-too-many', method: 'POST', headers });
    assert.deepEqual([expecting.status, expecting.headers.connection], [503, 'close']);
    assert.deepEqual((await ask(port, { path: '/readyz?a' })).body, 'of the application');
    assert.ok(!command.lines.includes('handler /one-too-many'));
    // The request that releases the others would itself exceed the limit.
    assert.equal(await command.end('SIGKILL'), null);
    await Promise.all(held);
  });

  test('of requests under way answers a request that expects 100 (Continue), and closes its connection', async () => {
    const options = ['--port', '0', '--host', '127.0.0.1', '--max-requests', '1'];
    const command = new Command([...options, 'continues.cjs'], { cwd });
    const { port } = await command.ready();
    const held = assert.rejects(ask(port, { path: '/held' }));
    await command.line(/^handler \/held$/);
    const expects = {
      method: 'POST',
      headers: { expect: '100-continue', 'content-length': 5, connection: 'keep-alive' },
    };
    const refused = await ask(port, { path: '/one-too-many', ...expects });
    // Closed, because the body may or may not come.
    assert.deepEqual([...refusal(refused), refused.headers.connection], [503, '1', 'Service Unavailable', 'close']);
    assert.equal(await command.end('SIGKILL'), null);
    await held;
    assert.ok(!command.lines.some((line) => line.includes('one-too-many')), command.lines.join('\n'));
  });

  test('of requests under way counts a request once that is let in after the next one of its connection', async () => {
    const options = ['--port', '0', '--host', '127.0.0.1', '--max-requests', '2'];
    const command = new Command([...options, 'continues-later.cjs'], { cwd });
    const { port } = await command.ready();
    for (let i = 0; i < 3; i++) {
      const client = net.connect(port, '127.0.0.1');
      let text = '';
      client.setEncoding('latin1').on('data', (part: string) => (text += part));
      client.write('POST /first HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 0\r\n\r\n');
      client.write('GET /next HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
      await once(client, 'close');
      assert.deepEqual(text.match(/answered \/[a-z]+/g), ['answered /first', 'answered /next']);
    }
    assert.equal(await command.end(), 0);
  });

  test('of requests under way does not count a request that is let in when its client has left', async () => {
    const options = ['--port', '0', '--host', '127.0.0.1', '--max-requests', '1', '--max-per-address', '1'];
    const command = new Command([...options, 'continues-later.cjs'], { cwd });
    const { port } = await command.ready();
    const client = net.connect(port, '127.0.0.1');
    client.write('POST /first HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n');
    await command.line(/^waits$/);
    client.destroy();
    // It is refused until the server has noticed.
    await until(
      () => ask(port, { path: '/next' }),
      ({ status }) => status === 200,
    );
    assert.equal((await ask(port)).status, 200);
    assert.equal(await command.end(), 0);
  });

  test('of requests under way accepts new ones when others are over', async () => {
    const { command, port } = await run('--max-requests', '2');
    const held = ask(port, { path: '/held' });
    await command.line(/^handler \/held$/);
    for (let i = 0; i < 5; i++) assert.equal((await ask(port, { path: '/readyz' })).status, 200);
    await ask(port, { path: '/go' });
    assert.equal((await held).body, 'went on');
    for (let i = 0; i < 5; i++) assert.equal((await ask(port, { path: '/go' })).status, 200);
    assert.equal(await command.end('SIGINT'), 0);
  });

  for (const limit of ['--max-requests', '--max-per-address']) {
    test(`${limit} refuses upgrades and CONNECT too, before their listeners run; open ones do not count`, async () => {
      const options = ['--port', '0', '--host', '127.0.0.1', limit, '1', '--retry-after', '7'];
      const command = new Command([...options, 'upgrades.cjs'], { cwd });
      const { port } = await command.ready();
      const opened = [await upgraded(port, 'GET /first'), await upgraded(port, 'GET /second')];
      for (const { text } of opened) assert.match(text(), /^HTTP\/1.1 101 /);
      const held = ask(port, { path: '/held' }).catch(() => undefined);
      await command.line(/^handler \/held$/);
      for (const head of ['GET /late', 'CONNECT late:80']) {
        const { text, socket } = await upgraded(port, head);
        const [status, why] = limit === '--max-requests' ? [503, 'Service Unavailable'] : [429, 'Too Many Requests'];
        const fields = `Retry-After: 7\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${why.length}\r\n`;
        assert.equal(text().split(' ')[1], String(status));
        if (!socket.closed) await once(socket, 'close');
        assert.equal(text(), `HTTP/1.1 ${status} ${why}\r\n${fields}Connection: close\r\n\r\n${why}`);
      }
      // A health request that asks for an upgrade (h2c) is answered as any other.
      assert.match((await upgraded(port, 'GET /health')).text(), /^HTTP\/1.1 101 /);
      await opened[0].echo('is open');
      if (limit === '--max-requests') opened[0].socket.destroy();
      else assert.equal((await ask(port, { path: '/go', localAddress: '127.0.0.2' })).body, 'gone');
      assert.equal(command.lines.filter((line) => /late/.test(line)).length, 0);
      assert.equal(await command.end('SIGKILL'), null);
      await held;
    });
  }

  test('of the event loop refuses requests that have waited while it was blocked', async () => {
    const { command, port } = await run('--max-delay', '100ms');
    // On a busy machine the first requests may be late.
    await until(
      () => ask(port, { path: '/go' }),
      ({ status }) => status === 200,
    );
    const tried: unknown[] = [];
    for (let i = 0; i < TRIES; i++) {
      await until(
        () => ask(port, { path: '/block' }),
        ({ status }) => status === 200,
      );
      const late = await Promise.all([1, 2].map(() => ask(port, { path: `/late${i}` })));
      tried.push(late.map(refusal));
      if (late.every(({ status }) => status === 503)) break;
    }
    assert.deepEqual(tried.at(-1), [
      [503, '1', 'Service Unavailable'],
      [503, '1', 'Service Unavailable'],
    ]);
    assert.equal(await command.end('SIGINT'), 0);
    assert.ok(!command.lines.includes(`handler /late${tried.length - 1}`));
  });

  test('of the event loop also refuses requests that have waited for a worker', async () => {
    const { command, port } = await run('--workers', '1', '--max-delay', '200ms');
    const tried: number[] = [];
    const wanted = (refused: number): boolean => refused > 30 && refused < 60;
    for (let i = 0; i < TRIES && !wanted(tried.at(-1) ?? 0); i++) {
      await until(
        () => ask(port, { path: '/go' }),
        ({ status }) => status === 200,
      );
      // A worker accepts one connection in each turn: no turn takes more than 50 ms, but the last connection would wait for 3 s.
      const crowd = await Promise.all(Array.from({ length: 60 }, () => ask(port, { path: '/busy' })));
      tried.push(crowd.filter(({ status }) => status === 503).length);
    }
    assert.ok(wanted(tried.at(-1)!), `${tried.join(', ')} of 60 were refused`);
    // The overload ends once the crowd has disconnected.
    await until(
      () => ask(port, { path: '/busy' }),
      ({ status }) => status === 200,
    );
    assert.equal(await command.end('SIGINT'), 0);
  });

  test('of an address answers 429 only to that address', async () => {
    const { command, port } = await run('--max-per-address', '1', '--client-address', 'forwarded');
    const from = (address: string) => ({ headers: { 'x-forwarded-for': `10.0.0.1, ${address}` } });
    const held = ask(port, { path: '/held', ...from('192.0.2.1') });
    await command.line(/^handler \/held$/);
    assert.deepEqual(refusal(await ask(port, { path: '/go', ...from('192.0.2.1') })), [429, '1', 'Too Many Requests']);
    assert.equal((await ask(port, { path: '/go', ...from('192.0.2.2') })).status, 200);
    assert.equal((await held).body, 'went on');
    assert.equal((await ask(port, { path: '/go', ...from('192.0.2.1') })).status, 200);
    assert.equal(await command.end('SIGINT'), 0);
  });
});
