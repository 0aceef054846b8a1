import { throughDoors, type Seen } from '../../support/plays.js';
import { unlike, type Unlike } from '../../support/seen-differences.js';
import { describe, search, withBodies, type Group, type Outcome, type Run } from '../search.js';
import { anyProgram } from './generate.js';
import { endsAfterUnread, knownUnlike, readsBehindReset, withoutOrder } from './known.js';
import { playOf } from './play.js';
import type { Program } from './program.js';
import { runnable } from './source.js';

/** Runs random programs on node:http and on the engine. @returns the differences, shrunk and grouped */
export function differences(run: Run): Promise<Outcome<Program>> {
  return search({ any: anyProgram, sidesOf: (program) => throughDoors(playOf(program)), unknown }, run);
}

/** @returns a group as a script that can be run */
export const asScript = (group: Group<Program>): string => describe(group, runnable);

function unknown(program: Program, node: Seen, engine: Seen): Unlike[] {
  const [nodeSeen, engineSeen] = [node, engine].map((seen) => withBodies(seen));
  if (unlike(nodeSeen, engineSeen).length === 0) return [];
  // An assertion inside node has failed (docs/compat).
  const uncaught = node.notes['uncaught'] ?? [];
  if (uncaught.some((error) => error.includes('ERR_INTERNAL_ASSERTION'))) return [];
  // A process usually ends at its first uncaught error, and so does node's parser if it was thrown during a read: later notes do not count.
  if (uncaught.length > 0 && engine.notes['uncaught']?.[0] === uncaught[0]) return [];
  if (endsAfterUnread(program, node, engine) || readsBehindReset(program, node, engine)) return [];
  return unlike(...withoutOrder(program, nodeSeen, engineSeen)).filter(
    (each) => knownUnlike(each, program) === undefined,
  );
}
