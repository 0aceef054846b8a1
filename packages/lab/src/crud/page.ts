import { execFile } from 'node:child_process';
import fs = require('node:fs');
import path = require('node:path');
import { promisify } from 'node:util';
import { labRoot } from '../paths.js';

const execute = promisify(execFile);

const client = path.join(labRoot, 'client');

/** Sources of the page outside its folder: the report's colours. */
const palette = path.join(labRoot, 'src', 'report', 'palette.ts');

/** Files that are not sources of the page. */
const made = new Set(['dist', 'node_modules']);

/**
 * The folder of the built page; Vite builds it when it is missing or older than one of its sources.
 *
 * @throws {Error} with Vite's words, when it cannot be built
 */
export async function builtPage(progress: (step: string) => void, signal?: AbortSignal): Promise<string> {
  const dist = path.join(client, 'dist');
  const built = fs.statSync(path.join(dist, 'index.html'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (Math.max(newest(client), fs.statSync(palette).mtimeMs) < built) return dist;
  progress('building the page');
  const vite = path.join(path.dirname(require.resolve('vite/package.json', { paths: [client] })), 'bin', 'vite.js');
  try {
    await execute(process.execPath, [vite, 'build'], { cwd: client, signal, env: { ...process.env, NO_COLOR: '1' } });
    return dist;
  } catch (error) {
    signal?.throwIfAborted();
    const { stderr = '', message } = error as Error & { stderr?: string };
    // Vite prints its own stack after the error.
    const [said] = (stderr.trim() || message).split(/\n\s+at /);
    const lines = said.split('\n').slice(-10).join('\n');
    throw new Error(`The page could not be built\n${lines}`, { cause: error });
  }
}

/** When the newest source below a folder was changed, in milliseconds. */
function newest(folder: string): number {
  const entries = fs.readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !made.has(name));
  const times = entries.map((entry) => {
    const place = path.join(folder, entry.name);
    return entry.isDirectory() ? newest(place) : fs.statSync(place).mtimeMs;
  });
  return Math.max(0, ...times);
}
