import type { Served } from '../agent.js';
import { answerEach } from '../answer-each.js';
import type { Answer } from '../ask.js';
import { failure, takeSample, warmUp, WrongAnswer, type Bench } from '../measure.js';
import { Peer } from '../peer.js';
import { scenarioOf, type Expected, type Scenario } from '../scenario.js';
import { rotated } from '../stats.js';
import { comparableIn, differences } from '../verify.js';

/** One process of an application, and the rounds in which it is loaded. */
export interface Turn {
  readonly contestant: string;
  readonly rounds: readonly number[];
  /** This contestant has no later process. */
  readonly last: boolean;
}

/**
 * The order in which an application's processes run, one at a time. The last contestant of a round is the first of the
 * next one, in the same process. So each goes first in turn, and there is only one start more than rounds.
 *
 * @returns for A and B in three rounds: A, B twice, A twice, B
 */
export function turnsOf(contestants: readonly string[], rounds: number): Turn[] {
  const turns: { contestant: string; rounds: number[] }[] = [];
  for (let round = 0; round < rounds; round++) {
    // Backwards, so that also of three the last one of a round is the first of the next.
    for (const contestant of rotated(contestants, contestants.length - (round % contestants.length))) {
      const before = turns.at(-1);
      if (before?.contestant === contestant) before.rounds.push(round);
      else turns.push({ contestant, rounds: [round] });
    }
  }
  return turns.map((turn, place) => ({
    ...turn,
    last: !turns.slice(place + 1).some(({ contestant }) => contestant === turn.contestant),
  }));
}

/** Bytes on the heap that garbage collection does not free, after this number of requests. */
export interface Retained {
  readonly contestant: string;
  readonly bytes: number;
  readonly requests: number;
}

export interface TurnBench extends Bench {
  readonly onRetained: (retained: Retained) => void;
  /** Called for each process of a contestant, with the servers of its last request. */
  readonly onServed: (contestant: string, served: Served) => void;
  /** Called after a contestant's last sample, with its CPU time by script. */
  readonly onProfile: (contestant: string, hits: Readonly<Record<string, number>>) => void;
}

/**
 * Loads an application in turns, one process at a time, because many applications lock a data folder or a port. A
 * contestant that crashes, or whose answer changes under load, is reported and removed.
 */
export async function takeTurns(scenario: Scenario, bench: TurnBench): Promise<void> {
  const out = new Set<string>();
  for (const turn of turnsOf(Object.keys(scenario.peers), bench.settings.rounds)) {
    if (out.has(turn.contestant)) continue;
    bench.signal.throwIfAborted();
    try {
      await takeTurn(turn, scenario, bench);
    } catch (error) {
      bench.signal.throwIfAborted();
      out.add(turn.contestant);
      bench.onFailure(
        failure({ scenario: scenario.name, contestant: turn.contestant, node: bench.node.version }, error),
      );
    }
  }
}

async function takeTurn(turn: Turn, scenario: Scenario, bench: TurnBench): Promise<void> {
  const { contestant, rounds } = turn;
  const { node, cores, signal, settings } = bench;
  const { seconds, connections } = settings;
  bench.progress(`${contestant}, start and warm-up`);
  const options = { node: node.path, scenario: scenario.name, core: cores.server, signal };
  const peer = await Peer.start(scenario.peers[contestant], options);
  const own = scenarioOf(scenario, contestant);
  const comparable = comparableIn(scenario);
  const stillAnswers = async (): Promise<void> =>
    mustBeAlike(comparable(await answerEach(peer, own, { connections, signal })), own.expected as Expected);
  try {
    await stillAnswers();
    // On a server of the application's own, node:http serves the first request.
    bench.onServed(contestant, await peer.servedDuring(stillAnswers));
    await warmUp(peer, own, bench);
    for (const round of rounds) {
      bench.progress(`${contestant}, round ${round + 1} of ${settings.rounds}`);
      const measured = await takeSample(peer, own, { seconds }, bench);
      const identity = { scenario: scenario.name, contestant, node: node.version };
      bench.onSample({ ...identity, connections, round, ...measured });
    }
    await stillAnswers();
    if (turn.last) {
      bench.onRetained({ contestant, ...(await retained(peer, own, bench)) });
      bench.progress('looking where the time goes');
      const load = (): Promise<unknown> => takeSample(peer, own, { seconds: settings.warmup }, bench);
      bench.onProfile(contestant, await peer.profiledDuring(load));
    }
  } finally {
    await peer.stop();
  }
}

/** The status and the field names; the load may have changed data and so the values. */
function mustBeAlike(answer: Answer, { status, reason, fields }: Expected): void {
  const names = fields.map(([name]) => [name, null] as const);
  const wrong = differences(answer, { status, reason, fields: names, body: null });
  if (wrong.length > 0) throw new WrongAnswer(`the answer has changed: ${wrong.join('; ')}`);
}

/** After the last sample, so that the garbage collections do not affect it. */
async function retained(peer: Peer, scenario: Scenario, bench: Bench): Promise<Omit<Retained, 'contestant'>> {
  const { warmup: seconds } = bench.settings;
  bench.progress('looking for memory that is not freed');
  const before = await peer.usage(true);
  const { requests } = await takeSample(peer, scenario, { seconds }, bench);
  const after = await peer.usage(true);
  return { bytes: after.heap - before.heap, requests };
}
