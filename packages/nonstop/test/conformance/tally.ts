import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os = require('node:os');
import path = require('node:path');
import type { Served } from '../support/served.js';

/** Requests of a program and its child processes, by who served them. */
export interface Tally extends Served {
  /** Also served by node:http, on servers that the engine does not take: own message classes, a lenient parser. */
  left: number;
}

/** Runs `work` with a file to which the processes under test append their counts. @returns its result, and the sum */
export async function tallied<T>(work: (file: string) => Promise<T>): Promise<{ result: T; tally: Tally }> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'conformance-'));
  try {
    const file = path.join(folder, 'tally');
    const result = await work(file);
    const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n').filter(Boolean);
    return { result, tally: sum(lines.map((line) => JSON.parse(line) as Tally)) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export function sum(tallies: readonly Tally[]): Tally {
  const total: Tally = { engine: 0, 'node:http': 0, left: 0 };
  for (const tally of tallies) {
    total.engine += tally.engine;
    total['node:http'] += tally['node:http'];
    total.left += tally.left;
  }
  return total;
}

/** @returns the counts as text */
export function told({ engine, 'node:http': node, left }: Tally): string {
  const refused = left === 0 ? '' : `, ${left} by node:http on servers that the engine does not take`;
  return `${engine} requests were served by the engine, ${node} by node:http${refused}`;
}
