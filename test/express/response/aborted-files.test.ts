import assert = require('node:assert/strict');
import { once } from 'node:events';
import net = require('node:net');
import path = require('node:path');
import { test } from 'node:test';
import type express = require('express');
import { folder } from '../../support/folder.js';
import { express as nonstop } from '../../../src/express/express.js';

/** A transfer that never reports would keep its server, and so the test, open. */
const HANG_MS = 10_000;

const root = folder({ 'long.bin': Buffer.alloc(8_000_000, 'x') });

/** Serves one request with `handler`, whose client leaves once `leave` resolves. @returns what `handler` reported */
async function abandoned(
  handler: (res: express.Response, done: (error?: Error) => void, leave: () => void) => void,
): Promise<unknown> {
  const app = nonstop() as unknown as express.Express;
  const client = new net.Socket();
  const reported = new Promise((resolve) => {
    app.use((_req, res) => handler(res, resolve, () => client.resetAndDestroy()));
    app.use((error: Error, _req: unknown, _res: unknown, _next: unknown) => resolve(['passed on', error]));
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  client.connect((server.address() as net.AddressInfo).port, '127.0.0.1');
  client.on('error', () => {});
  client.write('GET / HTTP/1.1\r\nHost: test\r\n\r\n');
  try {
    return await reported;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test('a client that leaves during a transfer is ECONNABORTED to the callback', { timeout: HANG_MS }, async () => {
  const error = await abandoned((res, done, leave) => {
    res.sendFile(path.join(root, 'long.bin'), done);
    res.once('pipe', leave);
  });
  assert.equal((error as NodeJS.ErrnoException).code, 'ECONNABORTED');
  assert.equal((error as Error).message, 'Request aborted');
});

test(
  'a client that leaves before the file is found is ECONNABORTED to the callback',
  { timeout: HANG_MS },
  async () => {
    const error = await abandoned((res, done, leave) => {
      leave();
      res.once('close', () => res.sendFile(path.join(root, 'long.bin'), done));
    });
    assert.equal((error as NodeJS.ErrnoException).code, 'ECONNABORTED');
  },
);

test('a client that leaves during a transfer is no error to the next handler', { timeout: HANG_MS }, async () => {
  const outcome = await abandoned((res, done, leave) => {
    res.sendFile(path.join(root, 'long.bin'));
    res.once('pipe', leave);
    // The transfer settles one turn after the response closes; an error would have been passed on by then.
    res.once('close', () => setImmediate(() => setImmediate(done)));
  });
  assert.equal(outcome, undefined);
});
