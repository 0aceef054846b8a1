import fs = require('node:fs');
import path = require('node:path');

/** The entries that stand for an Express, by its major version. */
const ENTRIES: Readonly<Record<string, string>> = { 4: 'v4', 5: 'index' };

/** Where nothing is installed under the name. */
const NEWEST = 'index';

/** What may be said on stderr: everything, or nothing. Without it, what is left alone. */
type Saying = 'explain' | 'quiet' | undefined;

const saying = readSaying(process.env['NONSTOP_REGISTER']);

/** @throws Error for a value that says nothing */
function readSaying(value: string | undefined): Saying {
  if (value === undefined || value === '') return undefined;
  if (value === 'explain' || value === 'quiet') return value;
  throw new Error(`NONSTOP_REGISTER is '${value}'; it can be 'quiet' or 'explain'`);
}

const said = new Set<string>();

function say(line: string): void {
  if (said.has(line)) return;
  said.add(line);
  // At once, in the thread of module hooks too.
  fs.writeSync(2, `nonstop/register: ${line}\n`);
}

/**
 * Which entry a program gets for `express`: that of the version that is installed next to it.
 *
 * @param importer the program, for what is said of it
 * @param find gives the path of the `express/package.json` that the program would find; throws where there is none
 * @returns the name of the entry; undefined where the installed version is one that Nonstop does not stand for
 */
export function entryFor(importer: string, find: () => string): string | undefined {
  const manifest = attempt(find);
  const version = manifest === undefined ? undefined : versionIn(manifest);
  const entry = version === undefined ? NEWEST : ENTRIES[/^(\d+)\.\d+\.\d+$/.exec(version)?.[1] ?? ''];
  const where = manifest === undefined ? 'no express is installed' : `express ${version} in ${path.dirname(manifest)}`;
  if (saying === 'explain') say(`${importer} gets ${asPackage(entry)} (${where})`);
  else if (entry === undefined && saying !== 'quiet') say(`${where} is left alone: Nonstop stands for Express 4 and 5`);
  return entry;
}

function asPackage(entry: string | undefined): string {
  if (entry === undefined) return 'what is installed';
  return entry === NEWEST ? 'nonstop' : `nonstop/${entry}`;
}

const versions = new Map<string, string>();

function versionIn(manifest: string): string {
  let version = versions.get(manifest);
  if (version === undefined) {
    const read = attempt(() => JSON.parse(fs.readFileSync(manifest, 'utf8')) as { version?: unknown });
    versions.set(manifest, (version = String(read?.version)));
  }
  return version;
}

function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
