// Runs the example application in a process of its own, with a clock that stands still and ids that can be foreseen.
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

const [dataDir, run, by] = process.argv.slice(2);
const counts = new Map<string, number>();

async function main(): Promise<void> {
  const tracker = require(inRepo('examples/tracker/server.js')) as Tracker;
  const server = await tracker.start({
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
  promise(server, by as By);
  const address = server.address();
  process.send?.({
    port: typeof address === 'object' ? address?.port : undefined,
    // `nonstop/register` leaves Express in its place: what was loaded says which framework it is.
    framework: Object.keys(require.cache).find((file) => /dist.nonstop\.js$/.test(file)) ?? require.resolve('express'),
  });
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
