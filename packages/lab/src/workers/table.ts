import { mean, median, spread } from '../stats.js';
import type { WorkersSample } from './workers.js';

/** The longest bar, in characters. */
const WIDTH = 30;

/** The samples of one Node as cells, the titles first; the first two columns are words. */
export function workerCells(samples: readonly WorkersSample[]): string[][] {
  const counts = [...new Set(samples.map(({ workers }) => workers))].sort((a, b) => a - b);
  const of = (count: number): WorkersSample[] => samples.filter(({ workers }) => workers === count);
  const rate = (count: number): number => median(of(count).map(({ requests, seconds }) => requests / seconds));
  const most = Math.max(...counts.map(rate));
  const lines = counts.map((count) => {
    const taken = of(count);
    const perRequest = (time: (sample: WorkersSample) => number): number[] =>
      taken.map((sample) => time(sample) / sample.requests);
    const all = perRequest(({ serving, supervisor }) => supervisor + serving.reduce((sum, time) => sum + time, 0));
    const supervising = perRequest(({ supervisor }) => supervisor);
    return [
      count === 0 ? 'no supervisor' : String(count),
      '█'.repeat(Math.round((rate(count) / most) * WIDTH)),
      Math.round(rate(count)).toLocaleString('en'),
      `${median(all).toFixed(1)} (${percent(spread(all))})`,
      count === 0 ? '' : median(supervising).toFixed(2),
      count < 2 ? '' : percent(median(taken.map(unevenness))),
    ];
  });
  const head = ['workers', '', 'requests/s', 'CPU µs/request (spread)', 'supervisor µs', 'between workers'];
  return [head, ...lines];
}

/** The difference between the busiest and the least busy worker, as a share of the average. */
function unevenness({ serving }: WorkersSample): number {
  return (Math.max(...serving) - Math.min(...serving)) / mean(serving);
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;
