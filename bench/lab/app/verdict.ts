import type { Sample } from '../measure.js';
import type { Row } from '../summary.js';

/** What the application gains, in one line. */
export function verdict(rows: readonly Row[]): string {
  const express = rows.find(({ contestant }) => contestant.startsWith('Express'));
  const nonstop = rows.find(({ contestant }) => contestant === 'Nonstop');
  if (express === undefined || nonstop === undefined) return 'No verdict: one of the two was not measured.';
  const times = express.cpu / nonstop.cpu;
  const cpu = `${nonstop.cpu.toFixed(1)} against ${express.cpu.toFixed(1)} µs`;
  const noise = Math.max(express.cpuSpread, nonstop.cpuSpread);
  if (Math.abs(times - 1) <= noise) return `No difference seen beyond the spread of the rounds: ${cpu} CPU a request.`;
  const [share, word] = times > 1 ? [times, 'less'] : [1 / times, 'more'];
  const rate = ({ perSecond }: Row): string => Math.round(perSecond).toLocaleString('en');
  return `Under Nonstop it needs ${share.toFixed(2)} times ${word} CPU a request: ${cpu}; ${rate(nonstop)} against ${rate(express)} requests/s.`;
}

/** Rounds that are needed to speak of growth. */
const enoughRounds = 3;

/** Contestants whose memory grew in every round, by more than half and more than 32 MB in all: what a leak looks like. */
export function growing(samples: readonly Sample[]): string[] {
  const names = [...new Set(samples.map(({ contestant }) => contestant))];
  return names.flatMap((name) => {
    const sizes = samples.filter(({ contestant }) => contestant === name).map(({ rss }) => rss);
    const [first = 0] = sizes;
    const last = sizes.at(-1) ?? 0;
    const always = sizes.every((size, place) => place === 0 || size > sizes[place - 1]);
    if (sizes.length < enoughRounds || !always || last < 1.5 * first || last - first < 32 * 2 ** 20) return [];
    const megabytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MB`;
    return [`The memory of ${name} grew in every round, from ${megabytes(first)} to ${megabytes(last)}: it may leak.`];
  });
}
