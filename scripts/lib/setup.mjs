import { existsSync, readFileSync } from 'node:fs';
import { inRoot } from './paths.mjs';
import { npm } from './run.mjs';

const oldestNode = [20, 19];

/**
 * Says why this Node cannot be used, before any newer syntax or module is reached.
 * @throws {Error} on a Node older than package.json's `engines`
 */
function assertNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) return;
  throw new Error(`Node ${oldestNode.join('.')} or newer is needed; this is ${process.version}.`);
}

/** @param {string} file @returns {Record<string, { version?: string, link?: boolean, optional?: boolean }>} */
const lockedPackages = (file) => JSON.parse(readFileSync(inRoot(file), 'utf8')).packages;

/**
 * What the lockfile asks for and node_modules does not hold. File times cannot say it: a checkout touches the lockfile.
 * @returns {string[]} paths of packages, as the lockfile names them
 */
function missingPackages() {
  const wanted = lockedPackages('package-lock.json');
  if (!existsSync(inRoot('node_modules/.package-lock.json'))) return Object.keys(wanted);
  const installed = lockedPackages('node_modules/.package-lock.json');
  return Object.entries(wanted)
    .filter(([name, { link, optional }]) => name.startsWith('node_modules/') && !link && !optional)
    .filter(([name, { version }]) => installed[name]?.version !== version)
    .map(([name]) => name);
}

/**
 * Installs what the lockfile names, when it is not there yet.
 * @param {(line: string) => void} say
 */
export async function setup(say) {
  assertNode();
  if (missingPackages().length === 0) return;
  const fresh = !existsSync(inRoot('node_modules'));
  say(fresh ? 'installing the development dependencies (npm ci)' : 'bringing node_modules up to the lockfile');
  // npm ci empties node_modules first, which only a fresh clone does not mind.
  await npm(fresh ? ['ci', '--no-audit', '--no-fund'] : ['install', '--no-save', '--no-audit', '--no-fund']);
  const missing = missingPackages();
  if (missing.length > 0) throw new Error(`npm left out ${missing.join(', ')}: package-lock.json may be out of date`);
}
