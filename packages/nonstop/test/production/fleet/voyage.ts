import { setTimeout as sleep } from 'node:timers/promises';
import { Clients, type Tally } from './clients.js';
import { Fleet } from './fleet.js';

/** One act on a fleet under load, and the results of the requests meanwhile. */
export interface Leg {
  readonly name: string;
  readonly tally: Tally;
  /** Milliseconds. */
  readonly took: number;
}

export interface Voyage {
  readonly legs: readonly Leg[];
  /** Whether HAProxy's new process got the listening sockets of the old one. */
  readonly handedOver: boolean;
}

export interface VoyageOptions {
  readonly clients: number;
  readonly streams: number;
  /** Minimum number of requests while everything is restarted. */
  readonly requests: number;
  /** How often everything is replaced and restarted. */
  readonly rounds: number;
  readonly processes: number;
  /** Maximum rate; undefined for no limit. */
  readonly perSecond?: number;
  readonly log: (line: string) => void;
}

/** Does to a fleet what happens in operation: replacements, restarts, deaths, a store that fails and comes back, a proxy reload. */
export async function sail(options: VoyageOptions): Promise<Voyage> {
  const { clients: count, streams, log, processes, rounds, perSecond } = options;
  const fleet = new Fleet({ processes, workers: 2, options: ['--metrics'] });
  const legs: Leg[] = [];
  let handedOver = false;
  try {
    await fleet.start();
    const clients = new Clients(fleet.port, { clients: count, streams, perSecond });
    await clients.asked(count * 3);
    await clients.turn();
    const leg = async (name: string, act: () => Promise<void>): Promise<void> => {
      const begin = performance.now();
      await act();
      // Requests that are under way during an act count for that act.
      await sleep(500);
      const tally = await clients.turn();
      const took = performance.now() - begin;
      legs.push({ name, tally, took });
      log(`${name}, ${(took / 1000).toFixed(1)} s: ${String(tally)}`);
    };
    await leg('all workers are replaced, all processes are restarted', async () => {
      for (let round = 0; round < rounds; round++) {
        const replaced = await Promise.all(Array.from({ length: processes }, (_, i) => fleet.replaceWorkers(i)));
        if (replaced.some((count) => count !== 2)) throw new Error(`${replaced.join(', ')} workers replaced`);
        for (let i = 0; i < processes; i++) {
          const status = await fleet.restart(i);
          if (status !== 0) throw new Error(`process ${i} ended with ${status}`);
        }
        await clients.asked((options.requests * (round + 1)) / rounds);
        log(`round ${round + 1}: ${String(clients.tally)}`);
      }
    });
    await leg('HAProxy is reloaded', async () => {
      handedOver = await fleet.reloadHaproxy();
      if (!handedOver) log('HAProxy did not hand its listening sockets on');
    });
    await leg('a worker is killed', () => fleet.killWorker(0));
    await leg('a process is killed', () => fleet.killProcess(1));
    await leg('Valkey is stopped', async () => {
      await fleet.stopValkey();
      await clients.refused();
    });
    await leg('Valkey comes back', async () => {
      await fleet.startValkey();
      await fleet.valkeyIsKnown();
      await clients.well(count * 3);
    });
    await leg('Valkey is there again', () => clients.asked(count * 3));
    await clients.end();
  } finally {
    await fleet.stop();
  }
  return { legs, handedOver };
}
