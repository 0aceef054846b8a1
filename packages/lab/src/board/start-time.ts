import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { pinned } from '../cores.js';
import { labRoot } from '../paths.js';
import { median, rotated } from '../stats.js';
import type { FigureBench } from './figures.js';

const execute = promisify(execFile);

const empty = 'an empty process';

const programs: Readonly<Record<string, string>> = {
  [empty]: '',
  'Express 5': "require('express')",
  Nonstop: "require('nonstop')",
};

/** Starts of each program in a round, because one is too short to measure. */
const startsInRound = 4;

/** Measures the duration of a process that loads a framework, minus that of a process that loads none. */
export async function startTimes(bench: FigureBench): Promise<void> {
  const { node, cores, signal, settings, row } = bench;
  const times = new Map<string, number[]>(Object.keys(programs).map((name) => [name, []]));
  const rounds = settings.rounds * startsInRound;
  // The first round fills the disk cache and is not counted.
  for (let round = -1; round < rounds; round++) {
    bench.progress(round < 0 ? 'warm-up' : `start ${round + 1} of ${rounds}`);
    for (const name of rotated(Object.keys(programs), Math.max(round, 0))) {
      const start = performance.now();
      await execute(...pinned(cores.server, node.path, ['-e', programs[name]]), { cwd: labRoot, signal });
      if (round >= 0) times.get(name)?.push(performance.now() - start);
    }
  }
  const base = median(times.get(empty) ?? []);
  for (const [contestant, values] of times) {
    for (const [round, value] of values.entries()) {
      const over = contestant === empty ? value : value - base;
      bench.onFigure({ row, contestant, node: node.version, figure: 'start', unit: 'ms', round, value: over });
    }
  }
}
