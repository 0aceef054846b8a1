import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { runMainModule } from '../node/main-module.js';
import { ProductionError } from './errors.js';
import { canServe } from './listening.js';
import { findPeersFrom } from './peers.js';

/**
 * Finds the file that the command was given: with or without its extension, or a folder with a package.json. Packages that options need are
 * resolved from it.
 *
 * @throws ProductionError ERR_NONSTOP_FILE if it does not exist, or if this node cannot run it
 */
export function fileOf(given: string): string {
  const wanted = path.resolve(given);
  let file: string;
  try {
    // A worker gets an absolute path: its working directory may be removed before.
    file = createRequire(wanted).resolve(wanted);
  } catch (error) {
    throw new ProductionError('ERR_NONSTOP_FILE', `there is no file ${given}`, error);
  }
  if (/\.[cm]?tsx?$/.test(file) && !runsTypeScript()) {
    const hint = 'compile it, use Node 22.18 or newer, or add a loader by NODE_OPTIONS (--import tsx)';
    throw new ProductionError('ERR_NONSTOP_FILE', `Node ${process.versions.node} does not run ${given}: ${hint}`);
  }
  findPeersFrom(file);
  return file;
}

function runsTypeScript(): boolean {
  const { typescript } = process.features as { typescript?: unknown };
  if (typescript !== undefined && typescript !== false) return true;
  const flags = [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].join(' ');
  return /(?:^|\s)(?:--import|--require|-r|--loader|--experimental-loader|--experimental-strip-types)\b/.test(flags);
}

/**
 * Runs a file as the main program of this process: it is `require.main`, and its arguments are in `process.argv`.
 *
 * @returns its export that can be served; undefined without one
 * @throws the error of the file
 */
export async function runMain(file: string, args: readonly string[]): Promise<unknown> {
  process.argv = [process.argv[0], file, ...args];
  await runMainModule();
  const found = createRequire(__filename).cache[file];
  const exported: unknown = found?.loaded === true ? found.exports : await import(pathToFileURL(file).href);
  return servingIn(await exported);
}

const NAMES = ['default', 'app', 'server', 'handler', 'application'];

async function servingIn(exported: unknown, depth = 0): Promise<unknown> {
  if (canServe(exported)) return exported;
  if (typeof exported !== 'object' || exported === null || depth > 2) return undefined;
  for (const name of NAMES) {
    const member: unknown = await (exported as Record<string, unknown>)[name];
    const found = await servingIn(member, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
