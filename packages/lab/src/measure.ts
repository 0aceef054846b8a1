import path = require('node:path');
import { ask } from './ask.js';
import type { Cores } from './cores.js';
import type { Generator, LoadPlan, LoadResult } from './load.js';
import { Peer } from './peer.js';
import type { Expected, Scenario } from './scenario.js';
import { rotated } from './stats.js';
import { blank, differences, essentialDifferences, expectationFrom } from './verify.js';

/** One contestant under load once. */
export interface Sample {
  readonly scenario: string;
  readonly contestant: string;
  /** Version of Node, such as `v24.1.0`. */
  readonly node: string;
  readonly connections: number;
  /** Counted from 0. */
  readonly round: number;
  readonly requests: number;
  readonly seconds: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** User and system time of the server process for each request, in microseconds. */
  readonly cpu: number;
  /** Resident memory of the server process right after the load, in bytes. */
  readonly rss: number;
  /** Requests without an answer in time, or without a connection, where there are some: at most one for each connection. */
  readonly unanswered?: number;
}

/** A contestant that crashed, stalled or gave errors under load. */
export interface Failure {
  readonly scenario: string;
  readonly contestant: string;
  readonly node: string;
  readonly problem: string;
}

export interface Settings {
  readonly rounds: number;
  /** Of each sample. */
  readonly seconds: number;
  /**
   * Seconds of load on each contestant before its first sample; on a slow or busy machine repeated, for up to ten seconds, until
   * the compiler has had what it needs to settle.
   */
  readonly warmup: number;
  readonly connections: number;
  /** Requests after which a contestant is warm; 5,000 when left out. */
  readonly settled?: number;
  /** Each sample ends after so many answers instead. */
  readonly requests?: number;
  /** Threads of the generator. */
  readonly workers?: number;
  /** A run in short, which proves that everything runs: its numbers mean little. */
  readonly quick?: boolean;
}

/** Where the samples are taken and where they go. */
export interface Bench {
  readonly settings: Settings;
  readonly generator: Generator;
  readonly cores: Cores;
  readonly node: { readonly version: string; readonly path: string };
  /** Ends the measurement: what is running is dropped, finished samples stay. */
  readonly signal: AbortSignal;
  readonly progress: (what: string) => void;
  readonly onSample: (sample: Sample) => void;
  readonly onFailure: (failure: Failure) => void;
}

/** Requests after which the compiler has settled on the code of a small application. */
const usuallySettled = 5000;

/** CPU time after which it has, however few the requests were, in microseconds. */
const enoughCpu = 1.5e6;

/** Milliseconds after which it has to do. */
const longestWarmup = 10_000;

/** Seconds after which a server that has not answered once is said to stall. */
const patience = 10;

/** An answer is not what the scenario expects: whatever would be timed, it is not the scenario. */
export class WrongAnswer extends Error {
  override readonly name = 'WrongAnswer';
}

/**
 * Runs one scenario: starts every contestant, verifies each answer, warms up, then samples in alternating rounds and
 * verifies once more.
 *
 * @throws {WrongAnswer} with the differences, before anything is timed
 */
export async function measure(scenario: Scenario, bench: Bench): Promise<void> {
  const peers = new Map<string, Peer>();
  try {
    await startAll(scenario, bench, peers);
    await verify(scenario, peers);
    for (let round = -1; round < bench.settings.rounds; round++) {
      for (const contestant of rotated([...peers.keys()], Math.max(round, 0))) {
        bench.progress(`${contestant}, ${round < 0 ? 'warm-up' : `round ${round + 1} of ${bench.settings.rounds}`}`);
        await sampleOrDrop({ scenario, contestant, round, peers }, bench);
      }
    }
    await verify(scenario, peers);
  } finally {
    await Promise.all([...peers.values()].map((peer) => peer.stop()));
  }
}

/** So many start at once: much of a start is waiting, but they share a core, and each has to be ready in time. */
const together = 3;

async function startAll(scenario: Scenario, bench: Bench, peers: Map<string, Peer>): Promise<void> {
  const { node, cores, signal } = bench;
  const options = { node: node.path, scenario: scenario.name, core: cores.server, signal };
  const sources = Object.entries(scenario.peers);
  while (sources.length > 0) {
    signal.throwIfAborted();
    const some = sources.splice(0, together);
    const outcomes = await Promise.allSettled(some.map(([, source]) => Peer.start(source, options)));
    for (const [place, outcome] of outcomes.entries()) {
      const [contestant] = some[place];
      if (outcome.status === 'fulfilled') peers.set(contestant, outcome.value);
      else if (!signal.aborted) {
        bench.onFailure(failure({ scenario: scenario.name, contestant, node: node.version }, outcome.reason));
      }
    }
  }
  signal.throwIfAborted();
}

/** Compares each contestant's answer with what it has to be: what the scenario says, or else what Express answers. */
export async function verify(scenario: Scenario, peers: ReadonlyMap<string, Peer>): Promise<void> {
  let { expected }: { expected?: Expected } = scenario;
  const oracleFirst = [...peers].sort(([a], [b]) => Number(b === 'Express 5') - Number(a === 'Express 5'));
  for (const [contestant, peer] of oracleFirst) {
    const answer = await ask(peer.port, scenario.request, scenario.load);
    expected ??= expectationFrom(answer, scenario);
    const compare = scenario.peers[contestant].ownFields ? essentialDifferences : differences;
    const wrong = compare(blank(answer, scenario), expected);
    if (wrong.length > 0) throw new WrongAnswer(`${scenario.name}: wrong answer of ${contestant}\n${wrong.join('\n')}`);
    await verifyEngine(scenario, contestant, peer);
  }
}

/**
 * Nonstop has to serve by its engine: a server of the user's own keeps its first connection with node:http, so that the second is asked.
 *
 * @throws {WrongAnswer} when it does not
 */
async function verifyEngine(scenario: Scenario, contestant: string, peer: Peer): Promise<void> {
  if (path.basename(scenario.peers[contestant].file) !== 'nonstop.js' || process.env['NONSTOP_ENGINE'] === 'node')
    return;
  const { engine, others } = await peer.servedDuring(() => ask(peer.port, scenario.request, scenario.load));
  if (engine > 0 && others === 0) return;
  throw new WrongAnswer(
    `${scenario.name}: ${contestant} served ${engine} requests by its engine and ${others} without it`,
  );
}

interface Turn {
  readonly scenario: Scenario;
  readonly contestant: string;
  /** -1 is the warm-up, which counts for nothing. */
  readonly round: number;
  readonly peers: Map<string, Peer>;
}

/** Takes one sample. A contestant that fails is reported and takes no further part, the others go on. */
async function sampleOrDrop({ scenario, contestant, round, peers }: Turn, bench: Bench): Promise<void> {
  const peer = peers.get(contestant) as Peer;
  const identity = { scenario: scenario.name, contestant, node: bench.node.version };
  bench.signal.throwIfAborted();
  try {
    if (round < 0) await warmUp(peer, scenario, bench);
    else {
      const { seconds, requests, connections } = bench.settings;
      bench.onSample({
        ...identity,
        connections,
        round,
        ...(await takeSample(peer, scenario, { seconds, requests }, bench)),
      });
    }
  } catch (error) {
    bench.signal.throwIfAborted();
    peers.delete(contestant);
    await peer.stop();
    bench.onFailure(failure(identity, error));
  }
}

/** What a contestant has done wrong, for the record. */
export const failure = (identity: Omit<Failure, 'problem'>, error: unknown): Failure => ({
  ...identity,
  problem: error instanceof Error ? error.message : String(error),
});

/**
 * Loads a contestant until its compiler has settled; counts for nothing. An application that does much for each request settles
 * after few of them: then its CPU time says so. On a busy machine either may take seconds, and a server that is not compiled yet
 * would look many times as dear as it is.
 */
export async function warmUp(peer: Peer, scenario: Scenario, bench: Bench): Promise<void> {
  const { warmup: seconds, settled = usuallySettled } = bench.settings;
  const started = performance.now();
  let answered = 0;
  let busy = 0;
  do {
    const { requests, cpu } = await takeSample(peer, scenario, { seconds }, bench);
    answered += requests;
    busy += requests * cpu;
  } while (answered < settled && busy < enoughCpu && performance.now() - started < longestWarmup);
}

type Measured = Pick<Sample, 'requests' | 'seconds' | 'p50' | 'p99' | 'cpu' | 'rss' | 'unanswered'>;

/**
 * What happens to some of a thousand connections when a slow server is asked for more than it can do: the kernel's queue of those
 * that wait to be accepted is full (node's holds 511), and they try again after seconds. It belongs to what is measured. Whatever
 * else goes wrong does not.
 */
const ofOverload = ['connect', 'connection', 'timeout'];

const countOf = (errors: LoadResult['errors']): number => Object.values(errors).reduce((sum, one) => sum + one, 0);

/** Each connection may wait in vain once, as long as that is the exception. */
const isBearable = (errors: LoadResult['errors'], requests: number, connections: number): boolean =>
  Object.keys(errors).every((kind) => ofOverload.includes(kind)) &&
  countOf(errors) <= Math.min(connections, requests / 10);

/**
 * Loads a contestant once.
 *
 * @throws {Error} when it crashes, stalls, gives errors or leaves too many without an answer
 */
export async function takeSample(
  peer: Peer,
  scenario: Pick<Scenario, 'request' | 'load'>,
  stretch: Pick<LoadPlan, 'seconds' | 'requests'>,
  bench: Bench,
): Promise<Measured> {
  const { generator, cores, signal } = bench;
  const { connections, workers } = bench.settings;
  const before = await peer.usage();
  const { request, load: shape } = scenario;
  const core = workers === undefined ? cores.generator : cores.others;
  const plan = { port: peer.port, request, shape, connections, workers, core, ...stretch };
  const { errors, ...result } = await generator.run(plan, signal);
  // A slow page on many connections can take longer than a short sample: only then it is given more time.
  const wrong = Object.entries(errors).map(([kind, count]) => `${count} ${kind}`);
  if (result.requests === 0 && wrong.length === 0 && stretch.seconds < patience) {
    const seconds = Math.min(patience, Math.max(1, 3 * stretch.seconds));
    return takeSample(peer, scenario, { ...stretch, seconds }, bench);
  }
  const after = await peer.usage();
  if (!isBearable(errors, result.requests, connections))
    throw new Error(`errors beside ${result.requests} answers: ${wrong.join(', ')}`);
  if (result.requests === 0) throw new Error('stalls: not one answer');
  const unanswered = countOf(errors);
  const cpu = (after.cpu - before.cpu) / result.requests;
  return { ...result, cpu, rss: after.rss, ...(unanswered > 0 && { unanswered }) };
}
