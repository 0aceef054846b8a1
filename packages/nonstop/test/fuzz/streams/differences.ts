import { describe, search, type Group, type Outcome, type Run } from '../search.js';
import { anyStreamProgram } from './generate.js';
import { unknown } from './known.js';
import { sidesOf } from './play.js';
import type { StreamProgram } from './program.js';
import { runnable } from './source.js';

/** Runs random programs on node:http over HTTP/1 and on this package over HTTP/2. @returns the differences, shrunk and grouped */
export function differences(run: Run): Promise<Outcome<StreamProgram>> {
  return search({ any: anyStreamProgram, sidesOf, unknown }, run);
}

/** @returns a group as a script that can be run */
export const asScript = (group: Group<StreamProgram>): string => describe(group, runnable);
