import { execFileSync } from 'node:child_process';
import path = require('node:path');
import { handedOver } from './handed-over.js';
import { runGenerator } from './generator-process.js';
import { fieldsOf, occurred, urlOf, type Generator, type LoadPlan, type LoadResult } from './load.js';
import { labRoot } from './paths.js';

const script = path.join(labRoot, 'src', 'wrk.lua');

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
    // wrk prints its version and exits with 1.
    const { stdout } = error as { stdout?: Buffer };
    return /^wrk (\S+)/.exec(stdout?.toString() ?? '')?.[1];
  }
}

async function runWrk(plan: LoadPlan, signal?: AbortSignal): Promise<LoadResult> {
  const { request, shape, connections, seconds } = plan;
  const fields = Object.entries(fieldsOf(plan)).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  // wrk accepts only whole seconds, but an interrupt ends it early with a full report. Its own limit is for the case that
  // the lab has died.
  const limit = String(Math.ceil(seconds) + 5);
  const { stdout, stderr } = await handedOver(request.body ?? '', (body) => {
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
      urlOf(plan),
      '--',
      request.method,
      'text' in body ? body.text : '',
      String(shape?.pipeline ?? 1),
      shape?.varied ? `varied${shape.cycle === undefined ? '' : `:${shape.cycle}`}` : '',
      ...('file' in body ? [body.file] : []),
    ];
    return runGenerator({ command: 'wrk', args, plan, signal, interrupt: true });
  });
  return parseReport('wrk', stdout + stderr);
}

/**
 * Reads the line that wrk.lua and the libcurl client write, in wrk's case among its own lines.
 *
 * @throws {Error} with the whole output if the line is missing
 */
export function parseReport(generator: string, output: string): LoadResult {
  const line = /^lab (\{.*\})$/m.exec(output)?.[1];
  if (line === undefined) throw new Error(`${generator} gave no report:\n${output}`);
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
