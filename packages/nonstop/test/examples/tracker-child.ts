// Runs the example application in a process of its own, with a clock that stands still and ids that can be foreseen.
import { once } from 'node:events';
import type http = require('node:http');
import { inRepo } from '../support/paths.js';
import { promise, type By } from '../support/served.js';

interface StartOptions {
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  readonly seed: number;
  readonly clock: () => Date;
  readonly ids: (kind: string) => string;
  readonly logFormat: string;
}
interface Tracker {
  start(options: StartOptions): Promise<http.Server>;
}
interface Application {
  createApp(options: Partial<StartOptions>): Promise<{ app: { listen(options: object): http.Server } }>;
}

const [dataDir, run, by] = process.argv.slice(2);
const counts = new Map<string, number>();

async function main(): Promise<void> {
  const tracker = require(inRepo('examples/tracker/server.js')) as Tracker;
  const start = process.env['TRACKER_HTTP2'] === undefined ? tracker.start : startOverHttp2;
  const server = await start({
    port: 0,
    host: '127.0.0.1',
    dataDir,
    seed: 50,
    clock: () => new Date('2026-01-15T09:30:00.000Z'),
    ids: (kind) => {
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      return `${kind}-${run}-${count}`;
    },
    logFormat: ':method :url :status :res[content-length]',
  });
  if (start === tracker.start) promise(server, by as By);
  const address = server.address();
  process.send?.({
    port: typeof address === 'object' ? address?.port : undefined,
    // `nonstop/register` does not touch the installed Express: the loaded files show which framework runs.
    framework: Object.keys(require.cache).find((file) => /dist.nonstop\.js$/.test(file)) ?? require.resolve('express'),
  });
}

/** In clear text, by prior knowledge. A request that this package does not make ends the process. */
async function startOverHttp2({ port, host, ...options }: StartOptions): Promise<http.Server> {
  const { createApp } = require(inRepo('examples/tracker/app.js')) as Application;
  const { app } = await createApp(options);
  const server = app.listen({ port, host, http2: true });
  server.prependListener('request', (req) => {
    const isOurs = Object.getOwnPropertySymbols(req).some(({ description }) => description === 'nonstop.stream');
    if (!isOurs) throw new Error('a request was made by node:http2');
  });
  await once(server, 'listening');
  return server;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
