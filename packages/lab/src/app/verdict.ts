import type { Failure } from '../measure.js';
import type { Row } from '../summary.js';

/**
 * The gain of the application, in one line.
 *
 * @param over2 Nonstop was measured over HTTP/2, and Express over HTTP/1.1
 */
export function verdict(rows: readonly Row[], failures: readonly Failure[] = [], over2 = false): string {
  if (failures.length > 0) return `No verdict: ${failures.map(({ contestant }) => contestant).join(' and ')} failed.`;
  const express = rows.find(({ contestant }) => contestant.startsWith('Express'));
  const nonstop = rows.find(({ contestant }) => contestant === 'Nonstop');
  if (express === undefined || nonstop === undefined) return 'No verdict: one of the two was not measured.';
  const times = express.cpu / nonstop.cpu;
  const [mine, theirs] = over2 ? [' over HTTP/2', ' over HTTP/1.1 under Express'] : ['', ''];
  const cpu = `${nonstop.cpu.toFixed(1)}${mine} against ${express.cpu.toFixed(1)} µs${theirs}`;
  const noise = Math.max(express.cpuSpread, nonstop.cpuSpread);
  if (Math.abs(times - 1) <= noise) return `No difference seen beyond the spread of the rounds: ${cpu} CPU a request.`;
  const [share, word] = times > 1 ? [times, 'less'] : [1 / times, 'more'];
  const rate = ({ perSecond }: Row): string => Math.round(perSecond).toLocaleString('en');
  return `Under Nonstop it needs ${share.toFixed(2)} times ${word} CPU a request: ${cpu}; ${rate(nonstop)} against ${rate(express)} requests/s.`;
}

/** Leaked memory is reported from these bytes per request and in all. Every warm process keeps less than that. */
const telling = { each: 64, all: 2 ** 20 };

/** The message about memory that garbage collection does not free; undefined if there is none. */
export function growth(contestant: string, bytes: number, requests: number): string | undefined {
  if (bytes < telling.all || bytes / requests < telling.each) return undefined;
  const each = Math.round(bytes / requests).toLocaleString('en');
  return `Under ${contestant}, each request leaves ${each} bytes that are not freed: a leak, or data that the application keeps (sessions, a cache).`;
}
