import assert = require('node:assert/strict');
import { constants } from 'node:crypto';
import { once } from 'node:events';
import type http = require('node:http');
import https = require('node:https');
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import type { LoadPlan, LoadResult } from '../src/load.js';
import { tlsSessions } from '../src/tls-sessions.js';
import { certificate } from '../../nonstop/test/support/certificate.js';

interface Loaded extends LoadResult {
  readonly opened: number;
  /** How many of them resumed a session, by the server's count. */
  readonly resumed: number;
}

async function load(listener: http.RequestListener, options: https.ServerOptions = {}): Promise<Loaded> {
  let opened = 0;
  let resumed = 0;
  const server = https.createServer({ ...certificate(), ...options }, listener);
  server.on('secureConnection', (socket: TLSSocket) => {
    opened++;
    if (socket.isSessionReused()) resumed++;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return { ...(await tlsSessions.run(planOf(server))), opened, resumed };
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

function planOf(server: https.Server, change: Partial<LoadPlan> = {}): LoadPlan {
  const { port } = server.address() as AddressInfo;
  const shape = { secure: true, keepAlive: false };
  const headers = { 'X-Own': 'of the plan' };
  return { port, request: { method: 'GET', path: '/a', headers }, shape, connections: 2, seconds: 1, ...change };
}

test('each request has a connection that resumes the session of the one before', async () => {
  const seen = new Set<unknown>();
  const result = await load((req, res) => {
    seen.add([req.method, req.url, req.headers['x-own'], req.headers.connection].join(' '));
    res.end('hello');
  });
  assert.deepEqual([...seen], ['GET /a of the plan close']);
  assert.deepEqual(result.errors, {});
  assert.ok(result.requests > 2, `${result.requests} requests`);
  assert.equal(result.requests, result.opened);
  assert.equal(result.resumed, result.opened - 2);
  assert.ok(result.p50 > 0 && result.p50 <= result.p99);
  assert.ok(result.seconds >= 1);
});

test('a server that resumes no session is refused', async () => {
  const options = { maxVersion: 'TLSv1.2', secureOptions: constants.SSL_OP_NO_TICKET } as const;
  await assert.rejects(
    load((_, res) => void res.end(), options),
    /resumed 0 % of the sessions only/,
  );
});

test('answers other than 2xx, and connections that end without one, are errors', async () => {
  let count = 0;
  const { requests, errors } = await load((req, res) => {
    count++;
    if (count % 3 === 0) req.socket.destroy();
    else res.writeHead(count % 3 === 1 ? 200 : 503).end();
  });
  assert.ok(requests > 0);
  assert.ok((errors['status'] ?? 0) > 0 && (errors['read'] ?? 0) > 0, JSON.stringify(errors));
  assert.equal(requests + errors['status'] + errors['read'], count);
});

test('it sends nothing but requests without a body, each on a connection of its own', async () => {
  const server = https.createServer(certificate()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const refused: Partial<LoadPlan>[] = [
    { shape: { secure: true } },
    { shape: { keepAlive: false } },
    { requests: 10 },
    { request: { method: 'POST', path: '/', body: 'x' } },
  ];
  for (const change of refused)
    await assert.rejects(tlsSessions.run(planOf(server, change)), /each on a connection of/);
  server.close();
});
