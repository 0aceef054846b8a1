import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inRoot } from './paths.mjs';
import { mustRunTool, npm } from './run.mjs';

/**
 * Packs the package as npm would publish it.
 * @returns {Promise<string>} path of the tarball
 */
export async function pack() {
  const folder = inRoot('.build', 'package');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { stdout } = await npm([
    'pack',
    '--json',
    '--workspace',
    'nonstop',
    '--ignore-scripts',
    '--pack-destination',
    folder,
  ]);
  const [{ filename }] = JSON.parse(stdout);
  return path.join(folder, filename);
}

/**
 * Checks a tarball for entry points that do not resolve and for types that do not match the code.
 * @param {string} tarball
 */
export async function lintTarball(tarball) {
  await mustRunTool('publint', ['run', '--strict', tarball]);
  await mustRunTool('@arethetypeswrong/cli', [tarball, '--profile', 'node16', '--no-emoji'], { bin: 'attw' });
}

/** Without a network npm would try each package again for minutes. */
const soon = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=3000'];

/**
 * Installs a tarball as a user would, outside of the repository, so that nothing resolves by accident.
 * @param {string} tarball
 * @returns {Promise<string>} the user's project: an ES module and CommonJS consumer with `nonstop` in its node_modules
 */
export async function installTarball(tarball) {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'nonstop-consumer-')));
  writeFileSync(path.join(folder, 'package.json'), '{ "name": "consumer", "private": true }\n');
  const options = ['--no-audit', '--no-fund', '--prefer-offline', '--omit=dev', ...soon];
  try {
    await npm(['install', ...options, tarball], { cwd: folder, seconds: 120 });
  } catch (cause) {
    throw new Error('npm could not install what the package depends on: this check needs the registry', { cause });
  }
  return folder;
}
