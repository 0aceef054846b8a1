import { execFile } from 'node:child_process';
import fs = require('node:fs');
import { promisify } from 'node:util';
import { inRepo } from '../support/paths.js';

const run = promisify(execFile);

/** Why the lines are not run, or false. */
export const noShell = process.platform === 'win32' ? 'the lines are for a shell with single quotes' : false;

/** The commands of curl in an example's row of the guide. */
export function curlLines(name: string): string[] {
  const lines = fs.readFileSync(inRepo('docs/guide/recipes.md'), 'utf8').split('\n');
  const row = lines.find((line) => line.startsWith(`| [${name}](`)) ?? '';
  return [...row.matchAll(/`(curl [^`]+)`/g)].map(([, line]) => line ?? '');
}

/**
 * Runs such a command in the folder of an example.
 *
 * @param ports the ports that the server has instead of 3000 or 8080, and of 8443
 * @returns what curl prints
 * @throws if the status is 400 or more, or there is no answer
 */
export async function runLine(line: string, folder: string, ports: { http: number; https?: number }): Promise<string> {
  const command = line
    .replace(/^curl/, 'curl --fail --silent --show-error --noproxy localhost')
    .replaceAll(/localhost:(?:3000|8080)/g, `localhost:${ports.http}`)
    .replaceAll('localhost:8443', `localhost:${ports.https}`);
  return (await run('sh', ['-c', command], { cwd: folder })).stdout;
}
