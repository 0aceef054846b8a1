import { compareCrud } from '../crud/summary.js';
import type { Compared } from '../study/comparison.js';
import type { StudyRecord } from '../study/study.js';
import type { View } from './choose.js';
import { samplesOf } from './crud-section.js';
import { isRecordStudy, type RecordStudy } from './read.js';

/** A share, and its range if one is known. */
export interface Share {
  readonly value: number;
  readonly low?: number;
  readonly high?: number;
}

/** One published comparison of a study, and its result here. */
export interface Finding {
  readonly figure: 'requests/s' | 'memory' | 'time';
  /** What is compared, as `node:http ÷ Express 5`. */
  readonly of: string;
  readonly against: string;
  /** Where it was compared: a number of connections, or a shape of a record. */
  readonly where: string;
  /** As it was published. */
  readonly words: string;
  readonly published: Share;
  readonly measured: Share;
  readonly nonstop?: Share;
}

/** Published comparisons on one Node. If several versions of Express took part, the newest is used. */
export function findingsOf(view: View): readonly Finding[] {
  const { record } = view.stored;
  if (isRecordStudy(record)) return recordFindings(record, view.node);
  const all = ((record as Partial<StudyRecord>).compared ?? []).filter(({ node }) => node === view.node);
  return all.filter((one) => one === newest(all, one)).map(loadFinding);
}

const newest = (all: readonly Compared[], { of, against, figure, connections }: Compared): Compared | undefined =>
  all
    .filter((one) => one.of === of && one.against === against)
    .filter((one) => one.figure === figure && one.connections === connections)
    .toSorted((a, b) => a.measuredAgainst.localeCompare(b.measuredAgainst))
    .at(-1);

const loadFigures = { perSecond: 'requests/s', rss: 'memory' } as const;

function loadFinding({ figure, of, measuredAgainst, connections, words, share, measured, nonstop }: Compared): Finding {
  return {
    figure: loadFigures[figure],
    of,
    against: measuredAgainst,
    where: `${connections.toLocaleString('en')} ${connections === 1 ? 'connection' : 'connections'}`,
    words,
    published: { value: share },
    measured: { value: measured },
    nonstop: nonstop === undefined ? undefined : { value: nonstop },
  };
}

/** The time of all four verbs as a share of Hapi's. */
function recordFindings(record: RecordStudy, node: string): Finding[] {
  const lives = compareCrud(samplesOf(record, node)).filter(({ verb }) => verb === 'all');
  return lives.map(({ shape, words, low, high, server, nonstop }) => ({
    figure: 'time',
    of: 'Express 5',
    against: 'Hapi',
    where: shape,
    words,
    published: { value: 1 - (low + high) / 200, low: 1 - high / 100, high: 1 - low / 100 },
    measured: shareOf(server),
    nonstop: nonstop && shareOf(nonstop),
  }));
}

/** Less time in per cent as a share of the time. */
function shareOf({ percent, within }: { readonly percent: number; readonly within: number }): Share {
  const value = 1 - percent / 100;
  return { value, low: Math.max(0, value - within / 100), high: value + within / 100 };
}
