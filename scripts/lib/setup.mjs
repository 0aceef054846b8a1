import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { inRoot } from './paths.mjs';
import { npm } from './run.mjs';

const oldestNode = [20, 19];

/**
 * Reports an unsupported Node before any newer syntax or module is loaded.
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
 * Packages of the lockfile that are missing in node_modules. File times do not show this, because a checkout touches the
 * lockfile.
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
 * Reports in one line that the build folder is not writable. Without this check the compiler prints a line for each file.
 * @throws {Error} if the build folder cannot be created or written
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

/** npm's errors if it does not reach the registry. */
const unreachable =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT)\b/;

/** @param {string[]} args @throws {Error} that names a missing network as the cause */
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
 * Installs the packages of the lockfile if some are missing.
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
  // npm ci empties node_modules first, so it is used only in a fresh clone.
  await installPackages(fresh ? ['ci'] : ['install', '--no-save']);
  const missing = missingPackages();
  if (missing.length > 0) throw new Error(`npm left out ${missing.join(', ')}: package-lock.json may be out of date`);
}
