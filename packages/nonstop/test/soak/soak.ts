import { once } from 'node:events';
import type { Door } from '../support/doors.js';
import { RawClient } from '../support/raw-http.js';
import { seeded } from '../support/seeded.js';
import { live, type Ledger } from './clients.js';
import { startService, type Service, type Tally } from './service.js';

export interface Soak {
  readonly door: Door;
  readonly clients: number;
  readonly seed: number;
  /** Called between two turns of a client; the soak ends when it returns true. */
  readonly over: () => boolean;
}

export interface Balance extends Ledger {
  readonly tally: Tally;
  /** Connections that the server still counts after close(). */
  readonly connectionsLeft: number;
  /** Heap after the load minus heap before it, both after a collection, in bytes; undefined without `--expose-gc`. */
  readonly heapGrowth?: number;
}

/**
 * Runs clients with all behaviours on one server until `over`, then closes the server with requests under way.
 * @returns the counts of both sides; `faults` lists every answer that was lost, mixed up or wrong
 */
export async function soak({ door, clients, seed, over }: Soak): Promise<Balance> {
  const service = await startService(door.createServer);
  const ledger: Ledger = { sent: 0, answered: 0, abandoned: 0, faults: [] };
  const before = heap();
  let ids = 0;
  const nextId = (): string => `id${ids++}`;
  await Promise.all(
    Array.from({ length: clients }, (_, i) =>
      live({ target: service.server, random: seeded(seed + i), ledger, nextId }, over),
    ),
  );
  await closeInTheMiddle(service, ledger);
  const after = heap();
  const heapGrowth = before === undefined || after === undefined ? undefined : after - before;
  return { ...ledger, tally: service.tally, connectionsLeft: await connections(service), heapGrowth };
}

/** close() while one request is being answered and another connection is idle: the answer arrives, both connections end. */
async function closeInTheMiddle({ server }: Service, ledger: Ledger): Promise<void> {
  const [idle, busy] = await Promise.all([RawClient.open(server), RawClient.open(server)]);
  await idle.send('GET /echo/idle HTTP/1.1\r\nHost: soak\r\n\r\n');
  await idle.answer();
  const called = once(server, 'request');
  await busy.send('POST /echo/busy HTTP/1.1\r\nHost: soak\r\nContent-Length: 4\r\nConnection: close\r\n\r\nha');
  await called;
  const closed = once(server, 'close');
  server.close();
  await idle.untilClose();
  await busy.send('lf');
  const { status } = await busy.answer();
  if (status !== 200) ledger.faults.push(`the request in flight at close() was answered ${status}`);
  await busy.untilClose();
  await closed;
  ledger.sent += 2;
  ledger.answered += 2;
}

function connections({ server }: Service): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => {
      if (error === null) resolve(count);
      else reject(error);
    });
  });
}

function heap(): number | undefined {
  const collect = (globalThis as { gc?: () => void }).gc;
  if (collect === undefined) return undefined;
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

/** @returns the errors in the counts, as text; empty if there are none */
export function complaints({
  faults,
  sent,
  answered,
  abandoned,
  tally,
  connectionsLeft,
  heapGrowth,
}: Balance): string[] {
  const found = faults.slice(0, 10);
  if (answered + abandoned !== sent && faults.length === 0)
    found.push(`${sent} sent, ${answered} answered, ${abandoned} abandoned`);
  // As in node, a pipelined response still waiting behind another when the client hangs up ends without 'close'.
  if (tally.finished + tally.cut > tally.requests)
    found.push(`${tally.requests} requests, ${tally.finished} finished, ${tally.cut} cut`);
  if (tally.finished < answered) found.push(`${answered} answers arrived, ${tally.finished} responses finished`);
  if (connectionsLeft !== 0) found.push(`${connectionsLeft} connections left after close()`);
  if (heapGrowth !== undefined && heapGrowth > HEAP_ALLOWANCE)
    found.push(`the heap grew by ${Math.round(heapGrowth / 1024)} kB`);
  return found;
}

/** Allowance for compiled code, inline caches and the clients' own garbage; a leak of 100 bytes a request exceeds it within a minute. */
const HEAP_ALLOWANCE = 8 * 1024 * 1024;
