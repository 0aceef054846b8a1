import { execFile } from 'node:child_process';
import fs = require('node:fs');
import path = require('node:path');
import { promisify } from 'node:util';
import { npm } from '../on-demand.js';
import { repoRoot } from '../paths.js';

const execute = promisify(execFile);

/** Another commit of this repository, built. */
export interface Base {
  /** First characters of the commit's hash. */
  readonly commit: string;
  /** The path to require for its Nonstop. */
  readonly entry: string;
  /** Removes it. */
  remove(): Promise<void>;
}

/**
 * Builds another commit in its own worktree below `.build/`. It uses the packages installed here if it needs the same
 * ones; otherwise it installs its own, with npm and a network.
 *
 * @param revision any name of a commit in git
 * @throws {Error} if the commit does not exist or does not build
 */
export async function buildBase(revision: string, signal: AbortSignal): Promise<Base> {
  const git = (...args: string[]): Promise<{ stdout: string }> => execute('git', args, { cwd: repoRoot, signal });
  const { stdout } = await git('rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`).catch(
    () => {
      throw new Error(`Unknown commit: ${revision}`);
    },
  );
  const commit = stdout.trim().slice(0, 12);
  const folder = path.join(repoRoot, '.build', `base-${commit}-${process.pid}`);
  const remove = async (): Promise<void> => {
    await execute('git', ['worktree', 'remove', '--force', folder], { cwd: repoRoot });
  };
  await git('worktree', 'add', '--detach', folder, commit);
  try {
    if (lockOf(folder) === lockOf(repoRoot)) {
      fs.symlinkSync(path.join(repoRoot, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
    } else {
      await execute(...npm('ci', '--ignore-scripts', '--no-audit', '--no-fund'), { cwd: folder, signal });
    }
    // With that commit's own build command.
    const build = "import('./scripts/lib/compile.mjs').then(({ compilePackage }) => compilePackage())";
    await execute(process.execPath, ['--eval', build], { cwd: folder, signal });
    return { commit, entry: path.join(packageOf(folder), 'dist', 'entry', 'index.js'), remove };
  } catch (error) {
    await remove();
    const { stdout: said = '', stderr: complained = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${commit} does not build here\n${said}${complained}`.trimEnd(), { cause: error });
  }
}

/** The first commits have the package in the repository's own folder. */
function packageOf(folder: string): string {
  const home = path.join(folder, 'packages', 'nonstop');
  return fs.existsSync(home) ? home : folder;
}

const lockOf = (folder: string): string => fs.readFileSync(path.join(folder, 'package-lock.json'), 'utf8');
