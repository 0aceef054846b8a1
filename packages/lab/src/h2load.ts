import { execFileSync } from 'node:child_process';
import fs = require('node:fs');
import os = require('node:os');
import path = require('node:path');
import { runGenerator } from './generator-process.js';
import { fieldsOf, occurred, urlOf, type Generator, type LoadPlan, type LoadResult } from './load.js';

/** `h2load` of nghttp2, where it is installed: for HTTP/2, and for HTTP/1.1 beside it. */
export function findH2load(): Generator | undefined {
  const version = h2loadVersion();
  return version === undefined ? undefined : { name: 'h2load', version, run: runH2load };
}

function h2loadVersion(): string | undefined {
  try {
    const printed = execFileSync('h2load', ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return /nghttp2\/(\S+)/.exec(printed)?.[1];
  } catch {
    return undefined;
  }
}

/** Answers a second of the last load of a port. */
const rates = new Map<number, number>();

/**
 * h2load 1.52 may hang at the end of a load by time, so a load has the number of requests that its time is expected to take. The first load of
 * a port, which is a warm-up, finds that out.
 */
async function runH2load(plan: LoadPlan, signal?: AbortSignal): Promise<LoadResult> {
  const { port, seconds, shape = {}, requests } = plan;
  if (requests !== undefined) return runRequests(plan, requests, signal);
  const atOnce = (shape.connections ?? plan.connections) * (shape.streams ?? 1);
  const run = async (count: number): Promise<LoadResult> => {
    const result = await runRequests(plan, Math.max(atOnce, Math.round(count)), signal);
    if (result.requests > 0) rates.set(port, result.requests / result.seconds);
    return result;
  };
  if (!rates.has(port)) await run(10 * atOnce);
  return run((rates.get(port) ?? 0) * seconds);
}

async function runRequests(plan: LoadPlan, requests: number, signal?: AbortSignal): Promise<LoadResult> {
  const { request, shape = {} } = plan;
  if (shape.varied || shape.keepAlive === false || shape.pipeline !== undefined) {
    throw new Error('h2load sends equal requests, on connections that stay, and not together: use another generator');
  }
  signal?.throwIfAborted();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'nonstop-bench-'));
  try {
    const log = path.join(folder, 'log');
    const connections = shape.connections ?? plan.connections;
    const args = [
      '--threads=1',
      `--clients=${connections}`,
      `--log-file=${log}`,
      '--header',
      `:method: ${request.method}`,
    ];
    args.push(`--requests=${requests}`);
    if (shape.streams === undefined) args.push('--h1');
    else args.push(`--max-concurrent-streams=${shape.streams}`);
    for (const [name, value] of Object.entries(fieldsOf(plan))) args.push('--header', `${name}: ${value}`);
    if (request.body !== undefined) {
      const body = path.join(folder, 'body');
      fs.writeFileSync(body, request.body);
      args.push(`--data=${body}`);
    }
    const { stdout, stderr } = await runGenerator({ command: 'h2load', args: [...args, urlOf(plan)], plan, signal });
    return parseH2load(stdout + stderr, fs.existsSync(log) ? fs.readFileSync(log, 'latin1') : '');
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

const UNITS: Readonly<Record<string, number>> = { s: 1, ms: 1e-3, us: 1e-6 };

/**
 * Reads h2load's report, and its log of requests for the percentiles.
 *
 * @param log a line for each request: its start, its status and its duration in microseconds, separated by tabs
 * @throws {Error} with the whole output if it is no report
 */
export function parseH2load(output: string, log: string): LoadResult {
  const finished = /^finished in ([\d.]+)(s|ms|us),/m.exec(output);
  const counts = /^requests: .* (\d+) done, .* (\d+) errored, (\d+) timeout$/m.exec(output)?.slice(1).map(Number);
  const classes = /^status codes: (\d+) 2xx, (\d+) 3xx, (\d+) 4xx, (\d+) 5xx$/m.exec(output)?.slice(1).map(Number);
  if (finished === null || counts === undefined || classes === undefined) {
    throw new Error(`h2load gave no report:\n${output}`);
  }
  const [done, errored, timeout] = counts;
  const [, redirected, refused, failed] = classes;
  const times = Float64Array.from(durations(log)).sort();
  return {
    requests: done - errored,
    seconds: Number(finished[1]) * UNITS[finished[2]],
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    errors: occurred({ status: redirected + refused + failed, stream: errored - timeout, timeout }),
  };
}

function durations(log: string): number[] {
  const lines = log.split('\n').map((line) => line.split('\t'));
  return lines.filter(([, status]) => Number(status) > 0).map(([, , microseconds]) => Number(microseconds));
}

/** Milliseconds; 0 without any. */
function percentile(sorted: Float64Array, share: number): number {
  return sorted.length === 0 ? 0 : sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] / 1000;
}
