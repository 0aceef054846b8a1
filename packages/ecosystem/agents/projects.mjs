import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { compilePackage } from '../../../scripts/lib/compile.mjs';
import { packFolder } from '../../../scripts/lib/pack.mjs';
import { writePackage } from '../../../scripts/lib/package-folder.mjs';
import { inRoot } from '../../../scripts/lib/paths.mjs';
import { npm } from '../../../scripts/lib/run.mjs';
import { programs } from './program.mjs';

/** Agents are installed here, and each way has a folder below with its own `express`. */
export const home = inRoot('.build', 'agents');

/** The ways to replace `express`, each with node's flags. @type {Record<string, string[]>} */
export const ways = { express: [], register: ['--import', 'nonstop/register'], alias: [] };

/**
 * Creates the projects with the current package.
 * @param {4 | 5} version of Express
 */
export async function makeProjects(version) {
  await compilePackage();
  const packed = path.join(home, 'packed');
  const [five, four] = [await pack(packed, 5, '5.3.0'), await pack(packed, 4, '4.22.0')];
  await install(path.join(home, 'express'), [`express@^${version}`]);
  await install(path.join(home, 'register'), [`express@^${version}`, `nonstop@file:${five}`]);
  await install(path.join(home, 'alias'), [`express@file:${version === 5 ? five : four}`]);
  for (const way of Object.keys(ways)) {
    const folder = path.join(home, way);
    mkdirSync(path.join(folder, 'views'), { recursive: true });
    for (const [name, text] of Object.entries(programs(version))) writeFileSync(path.join(folder, name), text);
  }
}

/** @param {string} folder @param {4 | 5} express @param {string} version @returns {Promise<string>} path of the tarball */
async function pack(folder, express, version) {
  const own = path.join(folder, `nonstop-${express}`);
  writePackage(own, { express, version });
  return packFolder(own, folder);
}

/**
 * Installs packages, unless the same were installed before.
 * @param {string} folder @param {string[]} packages as npm is given them
 */
export async function install(folder, packages) {
  mkdirSync(folder, { recursive: true });
  const note = path.join(folder, 'installed.json');
  const wanted = JSON.stringify(packages);
  // The contents of a tarball change each time.
  if (existsSync(note) && readFileSync(note, 'utf8') === wanted && !wanted.includes('.tgz')) return;
  writeFileSync(path.join(folder, 'package.json'), '{ "name": "project", "private": true }');
  rmSync(path.join(folder, 'package-lock.json'), { force: true });
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline'];
  await npm(['install', ...options, ...packages], { cwd: folder, seconds: 300 });
  writeFileSync(note, wanted);
}
