import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import http from 'node:http';
import http2 from 'node:http2';
import type net from 'node:net';
import { Duplex } from 'node:stream';
import { test } from 'node:test';
import { messageOf } from '../../src/production/lifecycle.js';
import { Traffic, traffic } from '../../src/production/traffic.js';
import { ask, openSession } from '../support/http2-client.js';
import { until } from '../support/nonstop-command.js';
import { nonstopHttp2 } from '../support/subject.js';

test('a server that was closed is forgotten, and is followed once when it listens again', async () => {
  const traffic = new Traffic();
  const refused: string[] = [];
  traffic.onRefused = (code) => refused.push(code);
  const server = http.createServer();
  for (let i = 0; i < 2; i++) {
    traffic.follow(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    assert.ok(traffic.listens);
    await new Promise((resolve) => server.close(resolve));
    assert.ok(!traffic.listens);
    assert.equal(traffic.servers.size, 0);
  }
  server.on('clientError', () => undefined).emit('clientError', { code: 'HPE_INVALID_METHOD' });
  assert.deepEqual(refused, ['HPE_INVALID_METHOD']);
});

test('a request whose handler replaces its socket is over when its answer is sent', async (t) => {
  const server = http.createServer((req, res) => {
    req.socket = { remoteAddress: '192.0.2.1' } as net.Socket;
    res.end(String(traffic.inHand));
  });
  traffic.follow(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as net.AddressInfo;
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => {
    agent.destroy();
    server.close();
  });
  for (let i = 0; i < 3; i++) {
    const [answer] = (await once(http.get({ port, host: '127.0.0.1', agent }), 'response')) as [http.IncomingMessage];
    assert.deepEqual([(await answer.toArray()).join(''), traffic.connections.size], ['1', 1]);
  }
});

test('a request whose expectation a program checks is under way until its answer is sent', async (t) => {
  const server = http.createServer();
  server.on('checkExpectation', (_req, res: http.ServerResponse) => void res.end(String(traffic.inHand)));
  traffic.follow(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => server.close());
  const { port } = server.address() as net.AddressInfo;
  for (let i = 0; i < 2; i++) {
    const asked = http.get({ port, host: '127.0.0.1', agent: false, headers: { expect: 'a-reply' } });
    const [answer] = (await once(asked, 'response')) as [http.IncomingMessage];
    assert.equal((await answer.toArray()).join(''), '1');
  }
});

test('a request that a program emits without a connection is handled, and not followed', () => {
  const traffic = new Traffic();
  const server = http.createServer((_req, res) => void res.end());
  traffic.follow(server);
  for (const socket of [undefined, { remoteAddress: '192.0.2.1' }, new EventEmitter()] as net.Socket[]) {
    const req = new http.IncomingMessage(socket);
    const res = new http.ServerResponse(req);
    assert.ok(server.emit('request', req, res));
    assert.deepEqual([res.writableEnded, traffic.inHand, traffic.connections.size], [true, 0, 0]);
    assert.ok(server.on('upgrade', () => undefined).emit('upgrade', req, new Duplex(), Buffer.alloc(0)));
    assert.equal(traffic.connections.size, 0);
  }
});

/** A stream that is no socket, and a client's side of it. */
function pair(): [server: Duplex, client: Duplex] {
  const sides: Duplex[] = [0, 1].map(
    (i) =>
      new Duplex({
        read() {},
        write(part: Buffer, _encoding, done) {
          setImmediate(() => sides[1 - i].push(part));
          done();
        },
        final(done) {
          setImmediate(() => sides[1 - i].push(null));
          done();
        },
      }),
  );
  return sides as [Duplex, Duplex];
}

for (const [name, createServer] of [
  ['node:http2', http2.createServer],
  ['nonstop/http2', nonstopHttp2().createServer],
] as const)
  for (const way of ['that began before', 'over a stream that is no socket'])
    test(`${name}: the requests of a session ${way} are under way until they end`, async (t) => {
      const seen: number[] = [];
      const server = createServer((_req, res) => {
        seen.push(traffic.inHand);
        res.end();
      });
      let session: http2.ClientHttp2Session;
      if (way === 'that began before') {
        await once(server.listen(0, '127.0.0.1'), 'listening');
        t.after(() => server.close());
        session = await openSession(server);
        traffic.follow(server as never);
      } else {
        traffic.follow(server as never);
        const [side, ofClient] = pair();
        server.emit('connection', side);
        session = http2.connect('http://a', { createConnection: () => ofClient });
      }
      for (let i = 0; i < 3; i++) await ask(session, { headers: { ':path': '/' } });
      assert.deepEqual(seen, [1, 1, 1]);
      assert.equal(traffic.inHand, 0);
      const held = [...traffic.connections].at(-1)!;
      assert.ok(held.session !== undefined && held.isIdle);
      // Such a stream does not count its octets.
      assert.equal(held.octets().read > 0, way === 'that began before');
      session.destroy();
      await until(
        async () => traffic.connections.has(held),
        (isHeld) => !isHeld,
      );
    });

test('an error without a message is told by its code, or else by its name', () => {
  assert.equal(messageOf(new Error('no route\nat all')), 'no route');
  assert.equal(messageOf(Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' })), 'ECONNREFUSED');
  assert.equal(messageOf(new AggregateError([])), 'AggregateError');
  assert.equal(messageOf('text'), 'text');
  assert.equal(messageOf(Object.assign(new Error(), { message: { code: 7 } })), '[object Object]');
});
