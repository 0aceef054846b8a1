import { execFileSync } from 'node:child_process';
import fs = require('node:fs');
import path = require('node:path');
import { runGenerator } from './generator-process.js';
import { fieldsOf, urlOf, type Generator, type LoadPlan, type LoadResult } from './load.js';
import { labRoot, repoRoot } from './paths.js';
import { parseReport } from './wrk.js';

const source = path.join(labRoot, 'generators', 'curl-multi.c');
const program = path.join(repoRoot, '.build', 'packages', 'lab', 'curl-multi');

/**
 * The libcurl client, built with `cc` on demand.
 *
 * @returns undefined without a C compiler or libcurl's headers
 */
export function findCurlMulti(): Generator | undefined {
  try {
    fs.mkdirSync(path.dirname(program), { recursive: true });
    // Built under another name first: two labs may build at once, and the file of a running program cannot be written.
    const fresh = `${program}.${process.pid}`;
    execFileSync('cc', ['-O2', '-o', fresh, source, '-lcurl'], { stdio: 'pipe' });
    fs.renameSync(fresh, program);
    const version = execFileSync(program, ['--version'], { encoding: 'utf8' }).trim();
    return { name: 'curl-multi', version, run: runCurlMulti };
  } catch {
    return undefined;
  }
}

async function runCurlMulti(plan: LoadPlan, signal?: AbortSignal): Promise<LoadResult> {
  const { request, connections, seconds, requests = 0 } = plan;
  if (request.method !== 'GET' || request.body !== undefined || (plan.shape?.pipeline ?? 1) > 1) {
    throw new Error('curl-multi sends GET without a body, one at a time, only');
  }
  const fields = Object.entries(fieldsOf(plan)).map(([name, value]) => `${name}: ${value}`);
  const args = [urlOf(plan), String(connections), String(requests), String(seconds), ...fields];
  const { stdout, stderr } = await runGenerator({ command: program, args, plan, signal });
  return parseReport('curl-multi', stdout + stderr);
}
