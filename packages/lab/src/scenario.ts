import { spawnSync } from 'node:child_process';
import path = require('node:path');
import { REPEATED } from './load.js';
import { labRoot } from './paths.js';

/** One request as every contestant receives it. */
export interface ScenarioRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** How requests are sent. The defaults are those of browsers. */
export interface LoadShape {
  /** False: every request on a new connection, with `Connection: close`. */
  readonly keepAlive?: boolean;
  /** Number of requests that are sent together, before their answers. */
  readonly pipeline?: number;
  /** Over TLS. */
  readonly secure?: boolean;
  /**
   * Requests differ: 97 user agents, and a last segment of the path (a number), a cookie and an id that are unique for
   * each request of `wrk`; `autocannon` repeats a list of 200.
   */
  readonly varied?: boolean;
  /** With `varied`: the number in the path stays below this one and then restarts at 0. */
  readonly cycle?: number;
  /** Over HTTP/2, in clear text unless `secure`: the number of streams that each connection has open at once. */
  readonly streams?: number;
  /** The number of connections. Default: that of the run. */
  readonly connections?: number;
}

/** An answer as on the wire. A field or body of null may have any value. */
export interface Expected {
  readonly status: number;
  readonly reason: string;
  readonly fields: readonly (readonly [name: string, value: string | null])[];
  readonly body: string | null;
}

/** How a contestant's server is started. */
export interface PeerSource {
  /** The file, in `packages/lab/peers/` or as an absolute path. */
  readonly file: string;
  /** Path of the program that runs it. Default: the Node of the run. */
  readonly program?: string;
  /** Options for the program, before the file. */
  readonly nodeOptions?: readonly string[];
  /** Arguments, behind the file; variables of its environment in them, such as `$PORT`, are put in. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The working directory. Default: `packages/lab/`. */
  readonly cwd?: string;
  /** It reports its address by a message, not on stdout. */
  readonly announces?: boolean;
  /** A program that cannot load the lab's agent: what it uses is read from Linux's /proc. */
  readonly withoutAgent?: boolean;
  /** A framework that sends its own fields: only status, media type and body must match the scenario. */
  readonly ownFields?: boolean;
  /** How its requests are sent, in place of the scenario's `load`. */
  readonly load?: LoadShape;
}

/** One workload, as data without code, in `packages/lab/scenarios/`. */
export interface Scenario {
  readonly name: string;
  readonly title: string;
  readonly request: ScenarioRequest;
  readonly load?: LoadShape;
  /** The generator of all its contestants, in place of the run's. */
  readonly generator?: 'h2load' | 'tls-sessions';
  /** Programs of which one must be installed. */
  readonly needs?: readonly string[];
  /** Packages of its contestants that are not the lab's own (npm specifications); the board installs them. */
  readonly onDemand?: readonly string[];
  /** Absent if the answer is too long: then Express's answer is the expected one, or else the first contestant's. */
  readonly expected?: Expected;
  /** Parts of the answer that differ from one process to the next (regular expressions), each with the reason. */
  readonly volatile?: readonly { readonly pattern: string; readonly reason: string }[];
  /** By the contestant's name; without contestants that cannot run the scenario. In the order of the table. */
  readonly peers: Readonly<Record<string, PeerSource>>;
}

/** Why a scenario cannot run here; undefined if it can. */
export function missing({ needs }: Scenario): string | undefined {
  if (needs === undefined || needs.some((program) => spawnSync(program, ['--version']).status === 0)) return undefined;
  return `${needs.join(' or ')} is not installed`;
}

/** The scenario as one of its contestants has it: with its own way of sending requests. */
export function scenarioOf(scenario: Scenario, contestant: string): Scenario {
  const { load = scenario.load } = scenario.peers[contestant];
  return load === scenario.load ? scenario : { ...scenario, load };
}

/**
 * Names the scenarios whose requests are all equal, or a short list: there, cached heads, cached tags and shared reads help.
 *
 * @param generator its name
 */
export function noteAlike(scenarios: readonly Scenario[], generator: string): string[] {
  const named = (varied: boolean): string =>
    scenarios
      .filter(({ load }) => (load?.varied ?? false) === varied)
      .map(({ name }) => name)
      .join(', ');
  const [equal, varied] = [named(false), named(true)];
  return [
    ...(equal === '' ? [] : [`All requests of a row are equal in ${equal}, so caches help there.`]),
    ...(varied === '' || generator !== 'autocannon'
      ? []
      : [`autocannon repeats ${REPEATED} different requests in ${varied}, so caches help there too.`]),
  ];
}

/**
 * Loads a scenario by its file's name.
 *
 * @throws {Error} when `packages/lab/scenarios/` has no such file
 */
export function loadScenario(name: string): Scenario {
  const file = path.join(labRoot, 'scenarios', `${name}.js`);
  try {
    return require(file) as Scenario;
  } catch (error) {
    throw new Error(`There is no scenario '${name}' (${file})`, { cause: error });
  }
}
