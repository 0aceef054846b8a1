import http from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Fleet } from './fleet.js';

/** The results of a load. Times are in milliseconds, from when a request was due to the end of its answer. */
export interface LoadOutcome {
  readonly perSecond: number;
  readonly served: number;
  readonly refused: number;
  /** No answer, or an incomplete one. */
  readonly lost: number;
  readonly p50: number;
  readonly p99: number;
  /** Maximum delay of the client itself. If it is large, the figures describe the client. */
  readonly clientLate: number;
}

export interface Overload {
  /** Requests per second of eight clients, each of which waits for its answer, without limits. */
  readonly capacity: number;
  /** At half of the capacity. */
  readonly calm: LoadOutcome;
  /** At three times the capacity. */
  readonly high: LoadOutcome;
}

export interface OverloadOptions {
  /** Two processes behind HAProxy, or one without a proxy. */
  readonly behindHaproxy: boolean;
  /** Of each process. */
  readonly workers: number;
  /** Further options of the command. */
  readonly options: readonly string[];
  /** Of each load. */
  readonly seconds: number;
}

/** Each request takes 5 ms of CPU. The client, which takes about 0.1 ms, is not the bottleneck. */
const WORK = '/busy/5';

/** Measures the capacity of the example without limits, then loads it with half of that, and with three times as much. */
export async function overload(setup: OverloadOptions): Promise<Overload> {
  const { seconds } = setup;
  const capacity = await onFleet({ ...setup, options: [] }, (port) => closedLoad(port, seconds));
  return onFleet(setup, async (port) => {
    const calm = await openLoad(port, capacity / 2, seconds);
    const high = await openLoad(port, capacity * 3, seconds);
    return { capacity: Math.round(capacity), calm, high };
  });
}

/** The maximum rate of one worker: each request takes this part of a second of its one thread. */
const MOST = 1000 / 5;

/** Loads one worker with three times that maximum, which does not depend on the machine. */
export async function overloadOne(options: readonly string[], seconds: number): Promise<LoadOutcome> {
  return onFleet({ behindHaproxy: false, workers: 1, options }, (port) => openLoad(port, MOST * 3, seconds));
}

type Setup = Pick<OverloadOptions, 'behindHaproxy' | 'workers' | 'options'>;

async function onFleet<T>(
  { behindHaproxy, workers, options }: Setup,
  measure: (port: number) => Promise<T>,
): Promise<T> {
  const fleet = new Fleet({ processes: behindHaproxy ? 2 : 1, workers, options });
  try {
    await fleet.start();
    const port = behindHaproxy ? fleet.port : fleet.portOf(0);
    await closedLoad(port, 1);
    return await measure(port);
  } finally {
    await fleet.stop();
  }
}

/** @returns answers per second to eight clients that wait for their answers */
async function closedLoad(port: number, seconds: number): Promise<number> {
  const agent = new http.Agent({ keepAlive: true });
  const begin = performance.now();
  const end = begin + seconds * 1000;
  let served = 0;
  const client = async (): Promise<void> => {
    while (performance.now() < end) if ((await get(agent, port)) === 200) served++;
  };
  await Promise.all(Array.from({ length: 8 }, client));
  agent.destroy();
  return (served * 1000) / (performance.now() - begin);
}

/** Sends requests at a fixed rate, without waiting for answers, as many independent clients do. */
async function openLoad(port: number, perSecond: number, seconds: number): Promise<LoadOutcome> {
  const agent = new http.Agent({ keepAlive: true });
  const took: number[] = [];
  let refused = 0;
  let lost = 0;
  let clientLate = 0;
  const send = async (due: number): Promise<void> => {
    clientLate = Math.max(clientLate, performance.now() - due);
    const status = await get(agent, port);
    if (status === 200) took.push(performance.now() - due);
    else if (status === undefined) lost++;
    else refused++;
  };
  const all: Promise<void>[] = [];
  const begin = performance.now();
  while (all.length < perSecond * seconds) {
    const due = begin + (all.length * 1000) / perSecond;
    if (due <= performance.now()) all.push(send(due));
    else await sleep(1);
  }
  await Promise.all(all);
  agent.destroy();
  const sorted = took.toSorted((a, b) => a - b);
  const at = (share: number): number => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0);
  return {
    perSecond: Math.round(perSecond),
    served: took.length,
    refused,
    lost,
    p50: at(0.5),
    p99: at(0.99),
    clientLate: Math.round(clientLate),
  };
}

/** @returns the status; undefined without a complete answer */
function get(agent: http.Agent, port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    http
      .get({ host: '127.0.0.1', port, path: WORK, agent }, (answer) => {
        answer.resume();
        answer.on('close', () => resolve(answer.complete ? answer.statusCode : undefined));
      })
      .on('error', () => resolve(undefined));
  });
}
