import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { writePackage } from './package-folder.mjs';
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
 * Packs `nonstop@4`: the same sources with Express 4 as the main export.
 * @param {string} folder receives the package and the tarball
 * @param {string} [version] instead of the version of these sources
 * @returns {Promise<string>} path of the tarball
 */
export async function packOf4(folder, version) {
  writePackage(path.join(folder, 'nonstop-4'), { express: 4, version });
  return packFolder(path.join(folder, 'nonstop-4'), folder);
}

/**
 * Packs the package in a folder.
 * @param {string} folder
 * @param {string} destination
 */
export async function packFolder(folder, destination) {
  const options = ['--json', '--ignore-scripts', '--pack-destination', destination];
  const { stdout } = await npm(['pack', ...options], { cwd: folder });
  const [{ filename }] = JSON.parse(stdout);
  return path.join(destination, filename);
}

/**
 * Checks a tarball for entry points that do not resolve and for types that do not match the code.
 * @param {string} tarball
 */
export async function lintTarball(tarball) {
  await mustRunTool('publint', ['run', '--strict', tarball]);
  await mustRunTool('@arethetypeswrong/cli', [tarball, '--profile', 'node16', '--no-emoji'], { bin: 'attw' });
}

/** Without a network npm would retry for minutes. */
const soon = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=3000'];

/**
 * Installs a tarball as a user would, outside the repository, so that nothing resolves by accident.
 * @param {string} tarball
 * @param {string} [name] in the project; the package's own when left out
 * @returns {Promise<string>} the user's project: an ES module and CommonJS consumer with `nonstop` in its node_modules
 */
export async function installTarball(tarball, name) {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'nonstop-consumer-')));
  writeFileSync(path.join(folder, 'package.json'), '{ "name": "consumer", "private": true }\n');
  const options = ['--no-audit', '--no-fund', '--prefer-offline', '--omit=dev', ...soon];
  try {
    await npm(['install', ...options, name === undefined ? tarball : `${name}@file:${tarball}`], {
      cwd: folder,
      seconds: 120,
    });
  } catch (cause) {
    throw new Error('npm could not install what the package depends on: this check needs the registry', { cause });
  }
  return folder;
}
