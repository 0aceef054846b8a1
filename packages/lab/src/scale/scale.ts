import { findCores } from '../cores.js';
import { preferred } from '../generators.js';
import type { Generator } from '../load.js';
import { measure, type Bench, type Failure, type Settings } from '../measure.js';
import { colophon, newRecord, recorded, save, saveLast, type BenchRecord, type RunOptions } from '../record.js';
import { textTable } from '../text-table.js';
import { chooseCurves, nameOf, scenarioAt, type Curve } from './curves.js';
import { judgeGrowth, type Growth, type ScaleSample } from './judge.js';
import { curveCells, growthCells } from './table.js';

export interface ScaleOptions extends Settings, RunOptions {
  /** Names of curves; all when left out. */
  readonly curves?: readonly string[];
  readonly nodes: readonly Bench['node'][];
  /** `wrk` where it is installed, and `autocannon` elsewhere, when left out. */
  readonly generator?: Generator;
}

export interface ScaleRecord extends BenchRecord {
  readonly samples: ScaleSample[];
  readonly failures: (Failure & Pick<ScaleSample, 'curve' | 'at'>)[];
  readonly growths: Growth[];
}

/**
 * Measures the cost of a request as something grows, on bare node:http, Express 5 and Nonstop, point by point like any
 * other workload. Then prints each curve and the judgement of Nonstop's against node:http's, and saves the record.
 *
 * @returns the record; `ended` says whether the run is complete
 * @throws {Error} when a curve is not known
 */
export async function scale(options: ScaleOptions): Promise<ScaleRecord> {
  const chosen = chooseCurves(options.curves);
  const { rounds, seconds, warmup, connections, settled, quick } = options;
  const choice = options.generator === undefined ? preferred('wrk') : { generator: options.generator };
  const settings = { rounds, seconds, warmup, connections, settled, quick };
  const setup = { generator: choice.generator, cores: findCores(), settings };
  const record: ScaleRecord = { ...newRecord('scale', setup, options.results), samples: [], failures: [], growths: [] };
  if (choice.note !== undefined) record.notes.push(choice.note);
  await recorded(record, options, async () => {
    for (const node of options.nodes) {
      for (const curve of chosen) await takeCurve(curve, { record, options, node, generator: choice.generator });
    }
  });
  conclude(record, chosen, options);
  return record;
}

interface Place {
  readonly record: ScaleRecord;
  readonly options: ScaleOptions;
  readonly node: Bench['node'];
  readonly generator: Generator;
}

async function takeCurve(curve: Curve, { record, options, node, generator }: Place): Promise<void> {
  const points = options.quick === true ? curve.quick : curve.points;
  for (const [index, at] of points.entries()) {
    const obstacle = curve.obstacle?.(at, node);
    if (obstacle !== undefined) {
      record.notes.push(`'${nameOf(curve, at)}' is not there on Node ${node.version}: ${obstacle}.`);
      continue;
    }
    const place = `Node ${node.version}, ${curve.name}: ${nameOf(curve, at)} (${index + 1} of ${points.length})`;
    await measure(scenarioAt(curve, at), {
      settings: settingsAt(curve, at, record.settings),
      generator,
      cores: record.cores,
      node,
      signal: options.signal,
      progress: (step) => options.progress(place, step),
      onSample: (sample) => record.samples.push({ ...sample, curve: curve.name, at }),
      onFailure: (failure) => record.failures.push({ ...failure, curve: curve.name, at }),
    });
    save(record, options.results);
  }
}

function settingsAt(curve: Curve, at: number, settings: Settings): Settings {
  const { connections = settings.connections, seconds = 0 } = curve.workload(at);
  return {
    ...settings,
    connections,
    seconds: Math.max(settings.seconds, seconds),
    warmup: Math.max(settings.warmup, seconds),
  };
}

function conclude(record: ScaleRecord, chosen: readonly Curve[], { nodes, print, results }: ScaleOptions): void {
  const tables: string[] = [];
  for (const { version: node } of nodes) {
    for (const curve of chosen) {
      const samples = record.samples.filter((sample) => sample.curve === curve.name && sample.node === node);
      if (samples.length === 0) continue;
      tables.push(`Node ${node}\n${textTable(curveCells(curve, samples), 1)}`);
      record.growths.push(...growthsOf(curve, samples, node));
    }
  }
  const file = saveLast(record, results);
  for (const table of tables) print(`\n${table}`);
  if (record.growths.length > 0) print(`\n${textTable(growthCells(record.growths, chosen), 4)}`);
  for (const { contestant, scenario, node, problem } of record.failures) {
    print(`\n${contestant} failed in ${scenario} on Node ${node}: ${problem}`);
  }
  print(`\n${colophon(record, file)}`);
}

/** The judged range of a curve: its own, or from the first to the last measured point. */
function growthsOf(curve: Curve, samples: readonly ScaleSample[], node: string): Growth[] {
  const points = [...new Set(samples.map(({ at }) => at))].sort((a, b) => a - b);
  const pairs = curve.judged ?? [[points[0], points.at(-1) ?? points[0]] as const];
  return pairs
    .filter(([from, to]) => from !== to && points.includes(from) && points.includes(to))
    .map(([from, to]) => judgeGrowth(samples, { curve: curve.name, node, from, to }));
}
