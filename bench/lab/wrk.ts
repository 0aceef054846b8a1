import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import path = require('node:path');
import { pinned } from './cores.js';
import { occurred, type Generator, type LoadPlan, type LoadResult } from './load.js';
import { benchRoot } from './paths.js';

const script = path.join(benchRoot, 'lab', 'wrk.lua');

/** `wrk` as a generator, where it is installed. */
export function findWrk(): Generator | undefined {
  const version = wrkVersion();
  return version === undefined ? undefined : { name: 'wrk', version, run: runWrk };
}

function wrkVersion(): string | undefined {
  try {
    execFileSync('wrk', ['--version'], { stdio: 'pipe' });
    return undefined;
  } catch (error) {
    // wrk prints its version and ends with 1.
    const { stdout } = error as { stdout?: Buffer };
    return /^wrk (\S+)/.exec(stdout?.toString() ?? '')?.[1];
  }
}

async function runWrk(
  { port, request, connections, seconds, core }: LoadPlan,
  signal?: AbortSignal,
): Promise<LoadResult> {
  const fields = Object.entries(request.headers ?? {}).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  // wrk takes whole seconds only, but an interrupt ends it early with a full report; its own limit is for a lab that died.
  const limit = String(Math.ceil(seconds) + 5);
  const args = [
    '-t1',
    '--timeout',
    '10s',
    `-c${connections}`,
    '-d',
    limit,
    '-s',
    script,
    ...fields,
    `http://127.0.0.1:${port}${request.path}`,
  ];
  const child = spawn(...pinned(core, 'wrk', [...args, '--', request.method, request.body ?? '']), {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    signal,
    killSignal: 'SIGKILL',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const timer = setTimeout(() => child.kill('SIGINT'), seconds * 1000);
  try {
    await once(child, 'close');
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
  }
  return parseWrk(output);
}

/**
 * Reads the line that wrk.lua wrote among wrk's own.
 *
 * @throws {Error} with the whole output when the line is not there
 */
export function parseWrk(output: string): LoadResult {
  const line = /^lab (\{.*\})$/m.exec(output)?.[1];
  if (line === undefined) throw new Error(`wrk gave no report:\n${output}`);
  const report: Record<string, number> = JSON.parse(line);
  const { requests, microseconds, p50, p99, connect, read, write, status, timeout } = report;
  return {
    requests,
    seconds: microseconds / 1e6,
    p50: p50 / 1e3,
    p99: p99 / 1e3,
    errors: occurred({ connect, read, write, status, timeout }),
  };
}
