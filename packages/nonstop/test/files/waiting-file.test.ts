import assert = require('node:assert/strict');
import { once } from 'node:events';
import fs = require('node:fs');
import type http = require('node:http');
import path = require('node:path');
import { test, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { folder } from '../support/folder.js';
import { ours } from '../support/framework.js';
import { RawClient } from '../support/raw-http.js';

const COUNT = 5;

/** Notes each file that is opened as a stream. */
function openedFiles(t: TestContext): fs.ReadStream[] {
  const opened: fs.ReadStream[] = [];
  const { createReadStream } = fs;
  t.mock.method(fs, 'createReadStream', (...args: Parameters<typeof createReadStream>) => {
    const file = createReadStream(...args);
    opened.push(file);
    return file;
  });
  return opened;
}

async function until(met: () => boolean): Promise<void> {
  for (const patience = Date.now() + 15_000; !met(); await pause(5))
    assert.ok(Date.now() < patience, 'it did not happen');
}

const root = folder({ 'large.bin': 'x'.repeat(20_000_000) });
const routes: Record<string, http.RequestListener> = {
  'express.static()': (req, res) => void ours.static(root)(req, res as never, () => res.end('none')),
  'res.sendFile()': (_req, res) =>
    (res as never as { sendFile(file: string): void }).sendFile(path.join(root, 'large.bin')),
};

for (const [name, route] of Object.entries(routes)) {
  for (const [when, late] of [
    ['open', false],
    ['found after that', true],
  ] as const) {
    test(`a client that leaves leaves no file of ${name} open for an answer that waited, ${when}`, async (t) => {
      const opened = openedFiles(t);
      const app = ours();
      let waiting = 0;
      app.use((req, _res, next) => {
        if (!late || opened.length === 0) return next();
        waiting++;
        req.socket.once('close', () => next());
      });
      app.use(route as never);
      const server = app.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const client = await RawClient.open(server);
      client.socket.pause();
      const get = 'GET /large.bin HTTP/1.1\r\nHost: a\r\n\r\n';
      await client.send(get);
      await until(() => opened.length === 1);
      await client.send(get.repeat(COUNT - 1));
      await until(() => (late ? waiting : opened.length - 1) === COUNT - 1);
      client.drop();
      await until(() => opened.length === COUNT);
      try {
        await until(() => opened.every(({ closed }) => closed));
      } finally {
        for (const file of opened) file.destroy();
        server.close();
      }
    });
  }
}
