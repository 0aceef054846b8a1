import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path = require('node:path');
import { RawClient } from '../../support/raw-http.js';
import type { By, Served } from '../../support/served.js';
import { seeded } from '../../support/seeded.js';
import type { Ledger } from '../clients.js';
import { BEHAVIOURS } from './behaviours.js';
import { Visitor, type Soaked } from './visitor.js';

/** The server's process after a collection, while no client sends anything. In bytes. */
export interface Sample {
  readonly heapUsed: number;
  readonly external: number;
  readonly rss: number;
  /** Connections. */
  readonly open: number;
  readonly requests: number;
  readonly finished: number;
  readonly cut: number;
  readonly failed: number;
  /** Of the server and of the one behind its proxy. */
  readonly served: Served;
  readonly warnings: readonly string[];
}

export interface MiddlewareSoak {
  readonly door: By;
  readonly clients: number;
  readonly seed: number;
  /** Checked between two turns of a client. */
  readonly over: () => boolean;
  /** A sample is taken whenever it resolves; if undefined, only the last one. */
  readonly nextSample?: () => Promise<unknown>;
  readonly onSample?: (sample: Sample) => void;
  /** The run is long enough for its memory to be level: idle connections stay for two minutes. */
  readonly long?: boolean;
  /** Samples of the same load on node:http, at the same time. */
  readonly beside?: readonly Sample[];
}

export interface MiddlewareBalance extends Ledger {
  readonly samples: readonly Sample[];
  /** After close(), without clients. */
  readonly last: Sample;
}

/** With hundreds of clients in one process a turn takes as long as the turns of all others together. */
const PATIENCE_MS = 120_000;

/** Lets turns start, or delays them until a sample has been taken. */
class Gate {
  private under = 0;
  private shut: Promise<void> | undefined;
  private quiet: (() => void) | undefined;

  async turn<T>(work: () => Promise<T>): Promise<T> {
    while (this.shut !== undefined) await this.shut;
    this.under++;
    try {
      return await work();
    } finally {
      this.under--;
      if (this.under === 0) this.quiet?.();
    }
  }

  /** Runs `work` between turns. */
  async still<T>(work: () => Promise<T>): Promise<T> {
    let open = (): void => undefined;
    this.shut = new Promise((resolve) => (open = resolve));
    try {
      if (this.under > 0) await new Promise<void>((resolve) => (this.quiet = resolve));
      return await work();
    } finally {
      this.quiet = this.shut = undefined;
      open();
    }
  }
}

/**
 * Lets misbehaving clients loose on an application with common middleware: two kinds of sessions, compression, uploads, a
 * proxy. Each answer carries the id of its request; the sessions of a visitor must hold the data of that visitor only.
 *
 * @returns the counts of both sides
 */
export async function middlewareSoak({
  door,
  clients,
  seed,
  over,
  nextSample,
  onSample,
}: MiddlewareSoak): Promise<MiddlewareBalance> {
  const child = fork(path.join(__dirname, 'server.js'), [door], { execArgv: ['--expose-gc'] });
  const died = once(child, 'exit').then(([code]) => {
    throw new Error(`the server's process ended (${String(code)})`);
  });
  const ledger: Ledger = { sent: 0, answered: 0, abandoned: 0, faults: [] };
  const samples: Sample[] = [];
  const gate = new Gate();
  let ids = 0;
  const nextId = (): string => `id${ids++}`;
  let done = false;
  const sampling = async (): Promise<void> => {
    if (nextSample === undefined) return;
    for (;;) {
      await nextSample();
      if (done) return;
      const taken = await gate.still(() => asked(child, 'sample'));
      samples.push(taken);
      onSample?.(taken);
    }
  };
  try {
    const [port] = (await Promise.race([once(child, 'message'), died])) as [number];
    const all = Array.from({ length: clients }, (_, i) =>
      live(port, { random: seeded(seed + i), ledger, nextId }, { gate, over }),
    );
    void sampling().catch((error: Error) => ledger.faults.push(error.message));
    await Promise.race([Promise.all(all), died]);
    done = true;
    const last = await Promise.race([gate.still(() => asked(child, 'close')), died]);
    return { ...ledger, samples, last };
  } finally {
    done = true;
    died.catch(() => undefined);
    child.kill();
  }
}

async function asked(child: ChildProcess, what: 'sample' | 'close'): Promise<Sample> {
  const told = once(child, 'message');
  child.send(what);
  return ((await told) as [Sample])[0];
}

interface Life {
  readonly gate: Gate;
  readonly over: () => boolean;
}

/** Acts as one visitor after another until the end. Faults go to the ledger. */
async function live(port: number, soaked: Soaked, { gate, over }: Life): Promise<void> {
  let visitor = new Visitor(soaked.nextId(), soaked);
  while (!over()) {
    const client = await RawClient.open(port, { patience: PATIENCE_MS });
    try {
      let state: 'alive' | 'ended' | 'left' = 'alive';
      while (state !== 'ended' && !over()) {
        state = await gate.turn(() => soaked.random.pick(BEHAVIOURS)(client, visitor));
        if (state === 'left') visitor = new Visitor(soaked.nextId(), soaked);
      }
    } catch (error) {
      soaked.ledger.faults.push((error as Error).message.slice(0, 300));
      visitor = new Visitor(soaked.nextId(), soaked);
    } finally {
      const closed = client.socket.closed ? undefined : once(client.socket, 'close');
      client.drop();
      await closed;
    }
  }
}

/** @returns the errors in the counts, as text; empty if there are none */
export function middlewareComplaints(
  { door, long = false, beside = [] }: Pick<MiddlewareSoak, 'door' | 'long' | 'beside'>,
  balance: MiddlewareBalance,
): string[] {
  const { faults, sent, answered, abandoned, last } = balance;
  const other: By = door === 'engine' ? 'node:http' : 'engine';
  const found = faults.slice(0, 10);
  if (answered + abandoned !== sent && faults.length === 0)
    found.push(`${sent} sent, ${answered} answered, ${abandoned} abandoned`);
  if (last.served[other] !== 0 || last.served[door] < answered)
    found.push(`${answered} answers, but ${door} served ${last.served[door]} and ${other} ${last.served[other]}`);
  if (last.finished < answered) found.push(`${answered} answers arrived, ${last.finished} responses finished`);
  // As in node, a pipelined response still waiting behind another when the client hangs up ends without 'close'.
  if (last.finished + last.cut > last.requests)
    found.push(`${last.requests} requests, ${last.finished} finished, ${last.cut} cut`);
  if (last.open !== 0) found.push(`${last.open} connections left after close()`);
  found.push(...last.warnings);
  return long ? [...found, ...growth(balance.samples, beside)] : found;
}

const MB = 1024 * 1024;
/** Allowance for late compilation and the allocator: a leak of 10 bytes a request exceeds it within ten minutes. */
const HEAP_ALLOWANCE = MB;
const RSS_ALLOWANCE = 16 * MB;
/** With fewer samples there is no verdict. */
const ENOUGH = 12;

/** Medians of the second fifth of the samples and of the last; during the first the compiler, the caches and the idle connections grow. */
export function levels(samples: readonly Sample[]): { readonly early: Sample; readonly late: Sample } | undefined {
  if (samples.length < ENOUGH) return undefined;
  const fifth = Math.floor(samples.length / 5);
  return { early: medians(samples.slice(fifth, 2 * fifth)), late: medians(samples.slice(-fifth)) };
}

function medians(samples: readonly Sample[]): Sample {
  const median = (value: (sample: Sample) => number): number =>
    samples.map(value).toSorted((a, b) => a - b)[Math.floor(samples.length / 2)];
  return {
    ...samples[0],
    heapUsed: median((sample) => sample.heapUsed),
    external: median((sample) => sample.external),
    rss: median((sample) => sample.rss),
  };
}

/**
 * Heap and buffers must be level. The whole process grows by single steps of 20 to 30 MB, with node:http as well, which heap
 * and buffers do not show. So it may be as large as node:http's process was at any time of the same load. The cause of the steps is unknown.
 */
function growth(samples: readonly Sample[], beside: readonly Sample[]): string[] {
  const both = levels(samples);
  if (both === undefined) return [];
  const { early, late } = both;
  const found: string[] = [];
  const held = late.heapUsed + late.external - early.heapUsed - early.external;
  if (held > HEAP_ALLOWANCE) found.push(`heap and buffers grew by ${Math.round(held / 1024)} kB`);
  const level = Math.max(early.rss, ...beside.map(({ rss }) => rss));
  if (late.rss - level > RSS_ALLOWANCE) found.push(`the process grew by ${Math.round((late.rss - early.rss) / MB)} MB`);
  return found;
}
