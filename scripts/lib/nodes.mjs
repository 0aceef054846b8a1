import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inRoot } from './paths.mjs';
import { mustRun, npm } from './run.mjs';

/** `major` is the wanted release: a major, or a whole version. @typedef {{ major: string, version: string, path: string }} NodeBinary */

/** @type {NodeBinary} */
export const runningNode = {
  major: process.versions.node.split('.')[0],
  version: process.version,
  path: process.execPath,
};

/** Of package.json's `engines`. */
const oldestMajor = 20;

/**
 * A Node binary of the wanted release: the running one, or npm's package of it, kept in .nodes/.
 * @param {string} major such as '24' for its newest release, or a release such as '24.0.0'
 * @param {(line: string) => void} say
 * @returns {Promise<NodeBinary>}
 * @throws {Error} if it is too old, or npm has no binary for this machine
 */
export async function nodeBinary(major, say) {
  if (!/^\d+(\.\d+\.\d+)?$/.test(major)) throw new Error(`'${major}' is not a version of Node, such as 24 or 24.0.0`);
  if (Number.parseInt(major, 10) < oldestMajor)
    throw new Error(`Nonstop needs Node ${oldestMajor} or newer, not ${major}`);
  if (major === runningNode.major) return runningNode;
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${platform}-${process.arch}`;
  const home = inRoot('.nodes', major);
  const binary = path.join(home, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  try {
    if (!existsSync(binary)) {
      say(`fetching Node ${major} (${name})`);
      // Without its own package.json npm would treat the folder as a part of this repository.
      mkdirSync(home, { recursive: true });
      writeFileSync(path.join(home, 'package.json'), '{ "private": true }\n');
      await npm(['install', '--no-audit', '--no-fund', '--no-package-lock', `${name}@${major}`], { cwd: home });
    }
    const { stdout } = await mustRun(binary, ['--version']);
    return { major, version: stdout.trim(), path: binary };
  } catch (error) {
    if (!existsSync(binary)) rmSync(home, { recursive: true, force: true });
    throw new Error(
      `No Node ${major} for this machine: npm's ${name}@${major} could not be installed or does not run here ` +
        `(it needs glibc on Linux). Run this command with a Node ${major} of your own instead.`,
      { cause: error },
    );
  }
}
