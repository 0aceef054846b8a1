import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { inRoot } from '../../../scripts/lib/paths.mjs';
import { npm } from '../../../scripts/lib/run.mjs';

/** @typedef {import('./rows.mjs').Row} Row */

/** `--force`: packages that share a folder may need different versions of a peer. */
const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--no-package-lock', '--prefer-offline', '--force'];
/** npm's own waits between attempts add up to minutes when there is no network. */
const patience = ['--fetch-retries=2', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000'];
const limitSeconds = 420;

/** @param {string} place */
export const folderOf = (place) => inRoot('.build', 'ecosystem', place);

/** @param {string} wanted such as 'express@4' or '@scope/name' @returns {[name: string, range: string | undefined]} */
export function nameAndRange(wanted) {
  const at = wanted.indexOf('@', 1);
  return at < 0 ? [wanted, undefined] : [wanted.slice(0, at), wanted.slice(at + 1)];
}

/** @param {string} folder @param {string} name */
const installedVersion = (folder, name) => {
  const file = path.join(folder, 'node_modules', name, 'package.json');
  return existsSync(file) ? /** @type {string} */ (JSON.parse(readFileSync(file, 'utf8')).version) : undefined;
};

/** @param {Row} row @returns {Record<string, string>} the installed version of each package that it wants */
export function versionsThere({ wants, place }) {
  const pairs = wants.map((wanted) => [wanted, installedVersion(folderOf(place), nameAndRange(wanted)[0])]);
  return Object.fromEntries(pairs.filter(([, version]) => version !== undefined));
}

/**
 * Installs the packages of the rows of one folder, in addition to those of earlier runs. If they cannot be installed
 * together, each is tried alone.
 * @param {Row[]} rows of one place
 * @param {Record<string, string>} versions
 * @returns {Promise<Map<string, string>>} the rows that could not be installed, each with its reason in one line
 */
export async function install(rows, versions) {
  const failed = new Map();
  try {
    await installTogether(rows, versions);
  } catch (error) {
    if (rows.length === 1) return failed.set(rows[0].name, reasonOf(error));
    if (unreachable(error)) return new Map(rows.map(({ name }) => [name, reasonOf(error)]));
    for (const row of rows) for (const [name, reason] of await install([row], versions)) failed.set(name, reason);
  }
  return failed;
}

/** @param {Row[]} rows @param {Record<string, string>} versions */
async function installTogether(rows, versions) {
  const folder = folderOf(rows[0].place);
  const file = path.join(folder, 'package.json');
  mkdirSync(folder, { recursive: true });
  const before = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { dependencies: {} };
  const dependencies = { ...before.dependencies };
  for (const wanted of rows.flatMap(({ wants }) => wants)) {
    const [name, range] = nameAndRange(wanted);
    dependencies[name] = versions[wanted] ?? range ?? 'latest';
  }
  const overrides = Object.assign({ ...before.overrides }, ...rows.map((row) => row.overrides));
  const write = (/** @type {object} */ manifest) => writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
  const there = Object.entries(dependencies).every(([name, version]) => installedVersion(folder, name) === version);
  if (there && isDeepStrictEqual(overrides, before.overrides ?? {})) return;
  write({ private: true, dependencies, overrides });
  try {
    await npm(['install', ...flags, ...patience], { cwd: folder, seconds: limitSeconds });
  } catch (error) {
    write(before);
    // A partial installation would look complete.
    if (Object.keys(before.dependencies).length === 0)
      rmSync(path.join(folder, 'node_modules'), { recursive: true, force: true });
    throw error;
  }
}

const codes = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT)\b/;

/** @param {unknown} error */
const unreachable = (error) => codes.test(String(error));

/** @param {unknown} error @returns {string} npm's message, in one line */
function reasonOf(error) {
  const text = error instanceof Error ? error.message : String(error);
  const [code] = codes.exec(text) ?? [];
  if (code !== undefined) return `npm does not reach its registry (${code})`;
  const lines = text.split('\n').map((line) => line.replace(/^npm (?:error|ERR!)\s*/, '').trim());
  const telling = lines.filter((line) => line !== '' && !/^(?:npm warn|code |A complete log|\/|path )/i.test(line));
  return `npm install: ${(telling[0] ?? lines[0] ?? 'failed').slice(0, 160)}`;
}
