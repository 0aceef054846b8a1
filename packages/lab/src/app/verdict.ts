import type { Failure } from '../measure.js';
import type { Row } from '../summary.js';

/** What the application gains, in one line. */
export function verdict(rows: readonly Row[], failures: readonly Failure[] = []): string {
  if (failures.length > 0) return `No verdict: ${failures.map(({ contestant }) => contestant).join(' and ')} failed.`;
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

/** Bytes for each request, and in all, from which on memory that stays is worth a word: less is what a warm process keeps. */
const telling = { each: 64, all: 2 ** 20 };

/** What is to be said of memory that no collection frees; undefined when there is nothing to say. */
export function growth(contestant: string, bytes: number, requests: number): string | undefined {
  if (bytes < telling.all || bytes / requests < telling.each) return undefined;
  const each = Math.round(bytes / requests).toLocaleString('en');
  return `Under ${contestant}, each request leaves ${each} bytes that stay: a leak, or something that is kept (sessions, a cache).`;
}
