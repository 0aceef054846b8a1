import { execFileSync } from 'node:child_process';
import fs = require('node:fs');
import os = require('node:os');
import path = require('node:path');
import { runGenerator } from './generator-process.js';
import { fieldsOf, occurred, urlOf, type Generator, type LoadPlan, type LoadResult } from './load.js';

/** `ab`, the generator of the two oldest studies, where it is installed. It speaks HTTP/1.0. */
export function findAb(): Generator | undefined {
  try {
    const version = /Version (\S+)/.exec(execFileSync('ab', ['-V'], { encoding: 'utf8' }))?.[1] ?? 'unknown';
    return { name: 'ab', version, run: runAb };
  } catch {
    return undefined;
  }
}

async function runAb(plan: LoadPlan, signal?: AbortSignal): Promise<LoadResult> {
  const { request, connections } = plan;
  if (request.method !== 'GET' || request.body !== undefined || (plan.shape?.pipeline ?? 1) > 1) {
    throw new Error('ab sends GET without a body, one at a time, only');
  }
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'nonstop-ab-'));
  // The report on stdout rounds to milliseconds; this file has fractions, which fast answers need.
  const percentiles = path.join(folder, 'percentiles.csv');
  const args = ['-q', '-e', percentiles, '-c', String(connections), ...lengthOf(plan), ...shapeOf(plan), urlOf(plan)];
  try {
    const { stdout, stderr } = await runGenerator({ command: 'ab', args, plan, signal });
    return parseAb(stdout + stderr, fs.existsSync(percentiles) ? fs.readFileSync(percentiles, 'utf8') : '');
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

/** ab reserves memory for every request that it may send. So a time limit needs a request limit too. */
function lengthOf({ seconds, requests, connections }: LoadPlan): string[] {
  if (requests !== undefined) return ['-n', String(Math.max(requests, connections))];
  const whole = Math.max(1, Math.round(seconds));
  return ['-t', String(whole), '-n', String(whole * 200_000)];
}

function shapeOf(plan: LoadPlan): string[] {
  // HTTP/1.0 closes by default and needs no field for it.
  const { Connection: _, ...fields } = fieldsOf(plan);
  const keepAlive = plan.shape?.keepAlive === false ? [] : ['-k'];
  return [...keepAlive, ...Object.entries(fields).flatMap(([name, value]) => ['-H', `${name}: ${value}`])];
}

/**
 * Reads ab's report and its file of percentiles.
 *
 * @throws {Error} with the report, if it has no result
 */
export function parseAb(report: string, percentiles: string): LoadResult {
  const number = (pattern: RegExp, text = report): number | undefined => {
    const found = pattern.exec(text)?.[1];
    return found === undefined ? undefined : Number(found);
  };
  const requests = number(/^Complete requests:\s+(\d+)/m);
  const seconds = number(/^Time taken for tests:\s+([\d.]+)/m);
  const p50 = number(/^50,([\d.]+)/m, percentiles);
  const p99 = number(/^99,([\d.]+)/m, percentiles);
  if (requests === undefined || seconds === undefined) throw new Error(`ab gave no report:\n${report}`);
  const failed = number(/^Failed requests:\s+(\d+)/m) ?? 0;
  const status = number(/^Non-2xx responses:\s+(\d+)/m) ?? 0;
  return { requests, seconds, p50: p50 ?? 0, p99: p99 ?? 0, errors: occurred({ failed, status }) };
}
