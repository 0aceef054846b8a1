import { answerEach } from './answer-each.js';
import { ask } from './ask.js';
import type { Cores } from './cores.js';
import { isEngineOff } from './environment.js';
import { required } from './generators.js';
import type { Generator, LoadPlan, LoadResult } from './load.js';
import { Peer } from './peer.js';
import { scenarioOf, type Scenario } from './scenario.js';
import { rotated } from './stats.js';
import { needsRound } from './steady.js';
import { blank, comparableIn, differences, essentialDifferences, expectationFrom } from './verify.js';

/** One contestant under load once. */
export interface Sample {
  readonly scenario: string;
  readonly contestant: string;
  /** Version of Node, such as `v24.1.0`. */
  readonly node: string;
  /** Those of the run; a load over HTTP/2 may have others (`LoadShape`). */
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
  /** Requests without an answer in time or without a connection, if there are any: at most one per connection. */
  readonly unanswered?: number;
}

/** A contestant that crashed, stalled or returned errors under load. */
export interface Failure {
  readonly scenario: string;
  readonly contestant: string;
  readonly node: string;
  readonly problem: string;
}

export interface Settings {
  readonly rounds: number;
  /** A load gets more than `rounds`, up to this number, while the samples of a contestant do not agree. */
  readonly mostRounds?: number;
  /** Of each sample. */
  readonly seconds: number;
  /**
   * Seconds of load on each contestant before its first sample; on a slow or busy machine repeated, for up to ten
   * seconds, until the compiler has settled.
   */
  readonly warmup: number;
  readonly connections: number;
  /** Requests after which a contestant is warm. Default: 5,000. */
  readonly settled?: number;
  /** Each sample ends after this number of answers instead. */
  readonly requests?: number;
  /** Threads of the generator. */
  readonly workers?: number;
  /** All contestants are under load at the same time, instead of one after the other. */
  readonly together?: boolean;
  /** MB of objects that each server keeps, beside its own. */
  readonly liveHeap?: number;
  /** Connections of the rows `idle` and `waiting`, in a run that has one of them. */
  readonly idle?: number;
  /** A short run that checks that everything works; its figures mean little. */
  readonly quick?: boolean;
}

/** The Node of the samples and the receiver of their results. */
export interface Bench {
  readonly settings: Settings;
  readonly generator: Generator;
  readonly cores: Cores;
  readonly node: { readonly version: string; readonly path: string };
  /** Ends the measurement: the running sample is dropped, finished samples are kept. */
  readonly signal: AbortSignal;
  readonly progress: (what: string) => void;
  readonly onSample: (sample: Sample) => void;
  readonly onFailure: (failure: Failure) => void;
}

/** Requests after which the code of a small application is compiled. */
const usuallySettled = 5000;

/** CPU time after which code is compiled, after any number of requests, in microseconds. */
const enoughCpu = 1.5e6;

/** Time limit of the warm-up, in milliseconds. */
const longestWarmup = 10_000;

/** Seconds after which a server without any answer counts as stalled. */
const patience = 10;

/** An answer differs from the scenario's, so a measurement would not be of this scenario. */
export class WrongAnswer extends Error {
  override readonly name = 'WrongAnswer';
}

/**
 * Runs one scenario: starts every contestant, verifies each answer, warms up, then samples in rounds, alternating or together, and
 * verifies once more.
 *
 * @throws {WrongAnswer} with the differences, before anything is timed
 */
export async function measure(scenario: Scenario, given: Bench): Promise<void> {
  const peers = new Map<string, Peer>();
  const samples: Sample[] = [];
  const onSample = (sample: Sample): void => {
    samples.push(sample);
    given.onSample(sample);
  };
  const bench = { ...given, onSample };
  try {
    await startAll(scenario, bench, peers);
    await dropSilent(scenario, bench, peers);
    await verify(scenario, peers);
    for (let round = -1; needsRound(round, bench.settings, samples); round++)
      await takeRound({ scenario, round, peers }, bench);
    await dropSilent(scenario, bench, peers);
    await verify(scenario, peers);
  } finally {
    await Promise.all([...peers.values()].map((peer) => peer.stop()));
  }
}

/** Takes a sample of each contestant. Those that are under load together have the same moments of a busy machine. */
async function takeRound({ scenario, round, peers }: Omit<Turn, 'contestant'>, bench: Bench): Promise<void> {
  const { rounds, mostRounds, together } = bench.settings;
  const last = round < rounds ? rounds : `at most ${mostRounds}`;
  const step = round < 0 ? 'warm-up' : `round ${round + 1} of ${last}`;
  const order = rotated([...peers.keys()], Math.max(round, 0));
  if (together) {
    bench.progress(`${order.join(' and ')}, ${step}`);
    await Promise.all(order.map((contestant) => sampleOrDrop({ scenario, contestant, round, peers }, bench)));
    return;
  }
  for (const contestant of order) {
    bench.progress(`${contestant}, ${step}`);
    await sampleOrDrop({ scenario, contestant, round, peers }, bench);
  }
}

/**
 * Number of contestants that start at once: a start is mostly waiting, but they share a core, and each must be ready in
 * time.
 */
const startedAtOnce = 3;

async function startAll(scenario: Scenario, bench: Bench, peers: Map<string, Peer>): Promise<void> {
  const { node, cores, signal, settings } = bench;
  const { liveHeap } = settings;
  const options = { node: node.path, scenario: scenario.name, core: cores.server, liveHeap, signal };
  const sources = Object.entries(scenario.peers);
  while (sources.length > 0) {
    signal.throwIfAborted();
    const some = sources.splice(0, startedAtOnce);
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

/** Sends each contestant as many requests at once as the load does. One that leaves a request without an answer is reported and removed. */
async function dropSilent(scenario: Scenario, bench: Bench, peers: Map<string, Peer>): Promise<void> {
  const { settings, signal, node } = bench;
  for (const [contestant, peer] of peers) {
    try {
      await answerEach(peer, scenarioOf(scenario, contestant), { connections: settings.connections, signal });
    } catch (error) {
      signal.throwIfAborted();
      peers.delete(contestant);
      await peer.stop();
      bench.onFailure(failure({ scenario: scenario.name, contestant, node: node.version }, error));
    }
  }
}

/** Compares each contestant's answer with the expected one: the scenario's, or else Express's. */
export async function verify(scenario: Scenario, peers: ReadonlyMap<string, Peer>): Promise<void> {
  const comparable = comparableIn(scenario);
  let expected = scenario.expected && comparable(scenario.expected);
  const oracleFirst = [...peers].sort(([a], [b]) => Number(b === 'Express 5') - Number(a === 'Express 5'));
  for (const [contestant, peer] of oracleFirst) {
    const answer = comparable(await ask(peer.port, scenario.request, scenarioOf(scenario, contestant).load));
    expected ??= expectationFrom(answer, scenario);
    const compare = scenario.peers[contestant].ownFields ? essentialDifferences : differences;
    const wrong = compare(blank(answer, scenario), expected);
    if (wrong.length > 0) throw new WrongAnswer(`${scenario.name}: wrong answer of ${contestant}\n${wrong.join('\n')}`);
    await verifyEngine(scenario, contestant, peer);
  }
}

/**
 * Checks that Nonstop's engine serves. On a server of the user's own, node:http keeps the first connection, so the second
 * one is checked.
 *
 * @throws {WrongAnswer} if it does not
 */
async function verifyEngine(scenario: Scenario, contestant: string, peer: Peer): Promise<void> {
  const { load } = scenarioOf(scenario, contestant);
  await mustBeOnEngine(scenario.name, { contestant, peer }, () => ask(peer.port, scenario.request, load));
}

/**
 * Checks that Nonstop's engine serves a contestant that is called Nonstop, whatever its program is.
 *
 * @param request sends one
 * @throws {WrongAnswer} if it does not
 */
export async function mustBeOnEngine(
  name: string,
  { contestant, peer }: { readonly contestant: string; readonly peer: Peer },
  request: () => Promise<unknown>,
): Promise<void> {
  if (!contestant.startsWith('Nonstop') || isEngineOff()) return;
  const { engine, others } = await peer.servedDuring(request);
  if (engine > 0 && others === 0) return;
  throw new WrongAnswer(`${name}: ${contestant} served ${engine} requests by its engine and ${others} without it`);
}

interface Turn {
  readonly scenario: Scenario;
  readonly contestant: string;
  /** -1 is the warm-up, which is not counted. */
  readonly round: number;
  readonly peers: Map<string, Peer>;
}

/** Takes one sample. A contestant that fails is reported and removed; the others continue. */
async function sampleOrDrop({ scenario, contestant, round, peers }: Turn, bench: Bench): Promise<void> {
  const peer = peers.get(contestant) as Peer;
  const identity = { scenario: scenario.name, contestant, node: bench.node.version };
  const own = scenarioOf(scenario, contestant);
  bench.signal.throwIfAborted();
  try {
    if (round < 0) await warmUp(peer, own, bench);
    else {
      const { seconds, requests, connections } = bench.settings;
      bench.onSample({
        ...identity,
        connections,
        round,
        ...(await takeSample(peer, own, { seconds, requests }, bench)),
      });
    }
  } catch (error) {
    bench.signal.throwIfAborted();
    peers.delete(contestant);
    await peer.stop();
    bench.onFailure(failure(identity, error));
  }
}

export const failure = (identity: Omit<Failure, 'problem'>, error: unknown): Failure => ({
  ...identity,
  problem: error instanceof Error ? error.message : String(error),
});

/**
 * Loads a contestant until its code is compiled; not counted. An application that does much per request settles after few
 * requests, which its CPU time shows. On a busy machine this may take seconds, and a server that is not compiled yet
 * would seem many times as expensive.
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
 * Some of a thousand connections to an overloaded slow server time out: the kernel's queue of connections to accept is
 * full (511 for node), and they retry after seconds. This is part of the measurement. Other errors are not.
 */
const ofOverload = ['connect', 'connection', 'timeout'];

const countOf = (errors: LoadResult['errors']): number => Object.values(errors).reduce((sum, one) => sum + one, 0);

/** Each connection may miss one answer, as long as that is the exception. */
const isBearable = (errors: LoadResult['errors'], requests: number, connections: number): boolean =>
  Object.keys(errors).every((kind) => ofOverload.includes(kind)) &&
  countOf(errors) <= Math.min(connections, requests / 10);

/**
 * Loads a contestant once.
 *
 * @throws {Error} if it crashes, stalls, returns errors or leaves too many requests unanswered
 */
export async function takeSample(
  peer: Peer,
  scenario: Pick<Scenario, 'request' | 'load' | 'generator'>,
  stretch: Pick<LoadPlan, 'seconds' | 'requests'>,
  bench: Bench,
): Promise<Measured> {
  const { cores, signal } = bench;
  const generator = scenario.generator === undefined ? bench.generator : required(scenario.generator);
  const { connections, workers } = bench.settings;
  const before = await peer.usage();
  const { request, load: shape } = scenario;
  const core = workers === undefined ? cores.generator : cores.others;
  const plan = { port: peer.port, request, shape, connections, workers, core, ...stretch };
  const { errors, ...result } = await generator.run(plan, signal);
  // A slow page on many connections can take longer than a short sample. Only then more time is given.
  const wrong = Object.entries(errors).map(([kind, count]) => `${count} ${kind}`);
  if (result.requests === 0 && wrong.length === 0 && stretch.seconds < patience) {
    const seconds = Math.min(patience, Math.max(1, 3 * stretch.seconds));
    return takeSample(peer, scenario, { ...stretch, seconds }, bench);
  }
  const after = await peer.usage();
  if (!isBearable(errors, result.requests, connections))
    throw new Error(`${result.requests} answers, and errors: ${wrong.join(', ')}`);
  if (result.requests === 0) throw new Error('no answer at all');
  const unanswered = countOf(errors);
  const cpu = (after.cpu - before.cpu) / result.requests;
  return { ...result, cpu, rss: after.rss, ...(unanswered > 0 && { unanswered }) };
}
