import { spawnSync } from 'node:child_process';
import path = require('node:path');
import { labRoot } from './paths.js';

/** One request as every contestant receives it. */
export interface ScenarioRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** How the requests come; each left out is as browsers do it. */
export interface LoadShape {
  /** False: every request on a connection of its own, which it asks to be closed. */
  readonly keepAlive?: boolean;
  /** Requests that are sent together, before their answers. */
  readonly pipeline?: number;
  /** Over TLS. */
  readonly secure?: boolean;
  /** Requests differ: 97 user agents, and a last segment of the path (a number), a cookie and an id of each request's own. */
  readonly varied?: boolean;
  /** With `varied`: the number in the path stays below this one and starts anew at 0. */
  readonly cycle?: number;
}

/** An answer as it stands on the wire. A field or body of null may hold anything. */
export interface Expected {
  readonly status: number;
  readonly reason: string;
  readonly fields: readonly (readonly [name: string, value: string | null])[];
  readonly body: string | null;
}

/** How a contestant's server is started. */
export interface PeerSource {
  /** In `packages/lab/peers/`, or an absolute path. */
  readonly file: string;
  /** Path of the program that runs it; the Node of the run when left out. */
  readonly program?: string;
  /** Options for the program, before the file. */
  readonly nodeOptions?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The working directory; `packages/lab/` when left out. */
  readonly cwd?: string;
  /** It says by a message rather than on stdout where it listens. */
  readonly announces?: boolean;
  /** A program that cannot load the lab's agent: what it uses is read from Linux's /proc. */
  readonly withoutAgent?: boolean;
  /** A framework with fields of its own: status, media type and body must be the scenario's, the other fields need not. */
  readonly ownFields?: boolean;
}

/** One workload: data, no code. Lives in `packages/lab/scenarios/`. */
export interface Scenario {
  readonly name: string;
  readonly title: string;
  readonly request: ScenarioRequest;
  readonly load?: LoadShape;
  /** Programs of which one has to be there. */
  readonly needs?: readonly string[];
  /** Left out where the answer is too long to write down: then Express's is what the others must give, or else the first's. */
  readonly expected?: Expected;
  /** Parts of the answer that differ from one process to the next (regular expressions), each with the reason. */
  readonly volatile?: readonly { readonly pattern: string; readonly reason: string }[];
  /** By the contestant's name; a contestant that cannot run the scenario is not there. In the order of the table. */
  readonly peers: Readonly<Record<string, PeerSource>>;
}

/** Why a scenario cannot run here; undefined where it can. */
export function missing({ needs }: Scenario): string | undefined {
  if (needs === undefined || needs.some((program) => spawnSync(program, ['--version']).status === 0)) return undefined;
  return `${needs.join(' or ')} is not installed`;
}

/** Whether the load sends the same request each time: remembered heads, tags and shared reads gain there. */
export function isAlike({ load }: Scenario): boolean {
  return load?.varied !== true;
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
