import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
 * Says in one line that nothing can be built here. Without it the compiler prints a line for each file.
 * @throws {Error} when the folder of builds cannot be made or written
 */
function assertWritable() {
  const probe = inRoot('.build', `probe-${process.pid}`);
  try {
    mkdirSync(inRoot('.build'), { recursive: true });
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (cause) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (cause);
    throw new Error(`This folder cannot be written (${code}): ${inRoot()}\nUse a copy that belongs to you.`, { cause });
  }
}

/** npm's own waits between attempts add up to minutes when there is no network. */
const patience = ['--fetch-retries=2', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000'];

/** What npm prints when it does not reach the registry. */
const unreachable =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT)\b/;

/** @param {string[]} args @throws {Error} that says when it is the network that is missing */
async function installPackages(args) {
  try {
    await npm([...args, '--no-audit', '--no-fund', ...patience]);
  } catch (cause) {
    const { message } = /** @type {Error} */ (cause);
    const [code] = unreachable.exec(message) ?? [];
    if (code === undefined) throw cause;
    throw new Error(
      `npm does not reach its registry (${code}). The first run installs the development dependencies and needs a network; ` +
        'later runs do not.',
      { cause },
    );
  }
}

/**
 * Installs what the lockfile names, when it is not there yet.
 * @param {(line: string) => void} say
 */
export async function setup(say) {
  assertNode();
  assertWritable();
  if (missingPackages().length === 0) return;
  const fresh = !existsSync(inRoot('node_modules'));
  say(
    fresh
      ? 'installing the development dependencies (npm ci, about 20 s)'
      : 'bringing node_modules up to the lockfile (npm install)',
  );
  // npm ci empties node_modules first, which only a fresh clone does not mind.
  await installPackages(fresh ? ['ci'] : ['install', '--no-save']);
  const missing = missingPackages();
  if (missing.length > 0) throw new Error(`npm left out ${missing.join(', ')}: package-lock.json may be out of date`);
}
