import type { Failure } from '../measure.js';
import type { RunRecord } from '../record.js';
import { limitLine, type Row } from '../summary.js';

/** What is known of a run besides its rows. */
export interface Course {
  readonly failures?: readonly Failure[];
  /** Nonstop was measured over HTTP/2, and Express over HTTP/1.1. */
  readonly over2?: boolean;
  /** Taken by --quick. */
  readonly quick?: boolean;
  readonly ended?: RunRecord['ended'];
}

/** The two that are compared. */
export interface Pair {
  readonly express: Row;
  readonly nonstop: Row;
}

/**
 * The rows of the two that are compared.
 *
 * @returns a string if there is nothing to compare: why
 */
export function pairOf(rows: readonly Row[], { failures = [], quick, ended }: Course): Pair | string {
  if (failures.length > 0) return `${failures.map(({ contestant }) => contestant).join(' and ')} failed`;
  if (ended === 'interrupted') return 'the run was interrupted';
  if (ended === 'stopped') return 'the run ended too early';
  const express = rows.find(({ contestant }) => contestant.startsWith('Express'));
  const nonstop = rows.find(({ contestant }) => contestant === 'Nonstop');
  if (express === undefined || nonstop === undefined) return 'one of the two was not measured';
  if (quick) return 'a short run shows that both run and answer alike, not how fast they are; leave out --quick';
  if (Math.min(express.rounds, nonstop.rounds) === 1)
    return 'one round does not show how much rounds differ; take more with --rounds 5';
  return { express, nonstop };
}

/** Whether the two differ by more than the rounds of one of them do, whichever needs more. */
export function differ({ express, nonstop }: Pair): boolean {
  const [low, high] = [express.cpu, nonstop.cpu].sort((a, b) => a - b);
  return high / low - 1 > Math.max(express.cpuSpread, nonstop.cpuSpread);
}

/** The gain of the application, in one line. */
export function verdict(rows: readonly Row[], course: Course = {}): string {
  const pair = pairOf(rows, course);
  if (typeof pair === 'string') return `No verdict: ${pair}.`;
  const { express, nonstop } = pair;
  const [mine, theirs] = course.over2 ? [' over HTTP/2', ' over HTTP/1.1 under Express'] : ['', ''];
  const cpu = `${nonstop.cpu.toFixed(1)}${mine} against ${express.cpu.toFixed(1)} µs${theirs}`;
  const share = nonstop.cpu / express.cpu;
  if (!differ(pair)) return `No difference seen beyond the spread of the rounds: ${cpu} of CPU time a request.`;
  const rate = ({ perSecond }: Row): string => Math.round(perSecond).toLocaleString('en');
  const needs = share < 1 ? `${share.toFixed(2)} of the CPU time` : `${share.toFixed(2)} times the CPU time`;
  const areServers = limitLine([express, nonstop]) === undefined;
  const rates = areServers ? `; ${rate(nonstop)} against ${rate(express)} requests/s` : '';
  return `Under Nonstop a request needs ${needs}: ${cpu}${rates}.`;
}

/**
 * The cost of several requests together, in one line.
 *
 * @param pairs each with the number of times that its request occurs
 */
export function together(pairs: readonly (Pair & { readonly times: number })[]): string {
  const sum = (of: (pair: Pair & { readonly times: number }) => number): number =>
    pairs.reduce((total, pair) => total + of(pair), 0);
  const express = sum((pair) => pair.express.cpu * pair.times);
  const nonstop = sum((pair) => pair.nonstop.cpu * pair.times);
  const saved = Math.round((1 - nonstop / express) * 100);
  const gain = !pairs.some(differ)
    ? 'no difference seen beyond the spread of the rounds'
    : saved === 0
      ? 'no difference'
      : `${Math.abs(saved)} % ${saved > 0 ? 'less' : 'more'}`;
  return `All ${sum(({ times }) => times)} requests together: ${(express / 1000).toFixed(2)} ms CPU under Express, ${(nonstop / 1000).toFixed(2)} under Nonstop, ${gain}.`;
}

/** Memory that is not freed is reported from these bytes per request and in all. Every warm process without a leak keeps less. */
const telling = { each: 64, all: 2 ** 20 };

/** The message about memory that garbage collection does not free; undefined if there is none. */
export function growth(contestant: string, bytes: number, requests: number): string | undefined {
  if (bytes < telling.all || bytes / requests < telling.each) return undefined;
  const each = Math.round(bytes / requests).toLocaleString('en');
  return `Under ${contestant}, each request leaves ${each} bytes that are not freed: a leak, or data that the application keeps (sessions, a cache).`;
}
