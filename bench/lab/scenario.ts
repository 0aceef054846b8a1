import path = require('node:path');
import { benchRoot } from './paths.js';

/** One request as every contestant receives it. */
export interface ScenarioRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
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
  /** In `bench/peers/`. */
  readonly file: string;
  /** Options for node, before the file. */
  readonly nodeOptions?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** One workload: data, no code. Lives in `bench/scenarios/`. */
export interface Scenario {
  readonly name: string;
  readonly title: string;
  readonly request: ScenarioRequest;
  /** Left out where the answer is too long to write down: then the first contestant's answer is what the others must give. */
  readonly expected?: Expected;
  /** Parts of the answer that differ from one process to the next (regular expressions), each with the reason. */
  readonly volatile?: readonly { readonly pattern: string; readonly reason: string }[];
  /** By the contestant's name; a contestant that cannot run the scenario is not there. In the order of the table. */
  readonly peers: Readonly<Record<string, PeerSource>>;
}

/**
 * Loads a scenario by its file's name.
 *
 * @throws {Error} when `bench/scenarios/` has no such file
 */
export function loadScenario(name: string): Scenario {
  const file = path.join(benchRoot, 'scenarios', `${name}.js`);
  try {
    return require(file) as Scenario;
  } catch (error) {
    throw new Error(`There is no scenario '${name}' (${file})`, { cause: error });
  }
}
