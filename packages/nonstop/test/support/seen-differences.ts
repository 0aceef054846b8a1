import type { Seen } from './plays.js';

/** One difference between the doors. */
export interface Unlike {
  /** Where it was seen: `res`, `wire`, … */
  readonly source: string;
  readonly node: string;
  readonly engine: string;
}

/** @returns the first differences of each source; empty if everything is equal */
export function unlike(node: Seen, engine: Seen): Unlike[] {
  const found: Unlike[] = [];
  for (const source of new Set([...Object.keys(node.notes), ...Object.keys(engine.notes)]))
    found.push(...ofSource(source, node.notes[source] ?? [], engine.notes[source] ?? []));
  if (node.wire !== engine.wire) found.push({ source: 'wire', ...texts(node.wire, engine.wire) });
  if (node.ending !== engine.ending) found.push({ source: 'ending', node: node.ending, engine: engine.ending });
  return found;
}

function ofSource(source: string, node: readonly string[], engine: readonly string[]): Unlike[] {
  const found: Unlike[] = [];
  const length = Math.max(node.length, engine.length);
  for (let i = 0; i < length; i++) {
    if (node[i] === engine[i]) continue;
    found.push({ source, node: node[i] ?? NOTHING, engine: engine[i] ?? NOTHING });
    // After a note that only one side has, all further notes are shifted.
    if (node.length !== engine.length) break;
  }
  return found;
}

const NOTHING = 'nothing';
const texts = (node: string, engine: string): { node: string; engine: string } => ({
  node: JSON.stringify(node),
  engine: JSON.stringify(engine),
});

export const told = ({ source, node, engine }: Unlike): string => `${source}: node ${node} | engine ${engine}`;
