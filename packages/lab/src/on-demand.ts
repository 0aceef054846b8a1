import { execFile } from 'node:child_process';
import fs = require('node:fs');
import path = require('node:path');
import { promisify } from 'node:util';
import { labRoot } from './paths.js';

const execute = promisify(execFile);

const ownFolder = path.join(labRoot, '.peers');

/** Whether a package is in `packages/lab/.peers/`. */
export const isInstalled = (spec: string, home = ownFolder): boolean =>
  fs.existsSync(path.join(home, 'node_modules', nameOf(spec)));

/**
 * Installs the packages that are not there yet below `packages/lab/.peers/`, separate from all other packages, without
 * running their scripts.
 *
 * @param specs such as `restify@^12.0.0`
 * @param home the folder to install into
 * @throws {Error} with npm's last words
 */
export async function install(specs: readonly string[], signal: AbortSignal, home = ownFolder): Promise<void> {
  const absent = specs.filter((spec) => !isInstalled(spec, home));
  if (absent.length === 0) return;
  fs.mkdirSync(home, { recursive: true });
  // Without its own package.json npm would treat the folder as a part of this repository. npm keeps a list of the
  // packages there, and removes what is not on it.
  const manifest = path.join(home, 'package.json');
  if (!fs.existsSync(manifest)) fs.writeFileSync(manifest, '{ "private": true }\n');
  const args = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', ...absent];
  try {
    await execute(...npm('install', ...args), { cwd: home, signal });
  } catch (error) {
    signal.throwIfAborted();
    const { stderr = String(error) } = error as { stderr?: string };
    const lines = stderr.trim().split('\n').slice(-5).join('\n');
    throw new Error(`npm could not install ${absent.join(', ')}\n${lines}`, { cause: error });
  }
}

/**
 * The program and the arguments of a call of npm: of the one that started this process, or else of that on the path. On Windows that is a script,
 * which node does not start without a shell; its program is beside node.
 */
export function npm(...args: string[]): [program: string, args: string[]] {
  const besideNode = path.join(path.dirname(process.execPath), 'node_modules', 'npm', 'bin', 'npm-cli.js');
  const programs = [process.env['npm_execpath'], process.platform === 'win32' ? besideNode : undefined];
  const program = programs.find((each) => each?.endsWith('.js'));
  return program === undefined ? ['npm', args] : [process.execPath, [program, ...args]];
}

/** The name in a package's specification: a scope has an @ of its own. */
const nameOf = (spec: string): string => spec.slice(0, spec.indexOf('@', 1));
