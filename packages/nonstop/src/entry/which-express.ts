import fs = require('node:fs');
import Module = require('node:module');
import path = require('node:path');

/** The entries that replace a package, by its major version. */
interface StandsFor {
  readonly majors: Readonly<Record<string, string>>;
  /** The entry if the package is not installed. */
  readonly missing?: string;
  /** Whether a line on stderr names what is not replaced. */
  readonly isToldOf: boolean;
}

const PACKAGES: Readonly<Record<string, StandsFor>> = {
  express: { majors: { 4: 'v4', 5: 'index' }, missing: 'index', isToldOf: true },
  // Express 5's router is its own package. Other versions of it do not belong to Express 5.
  router: { majors: { 2: 'router/index' }, isToldOf: false },
};

/** How much is printed on stderr: everything or nothing. Default: only what is not replaced. */
type Saying = 'explain' | 'quiet' | undefined;

const saying = readSaying(process.env['NONSTOP_REGISTER']);

/** @throws TypeError ERR_NONSTOP_REGISTER for an unknown value */
function readSaying(value: string | undefined): Saying {
  if (value === undefined || value === '') return undefined;
  if (value === 'explain' || value === 'quiet') return value;
  const error = new TypeError(`NONSTOP_REGISTER is '${value}', and must be 'quiet' or 'explain'`);
  throw Object.assign(error, { code: 'ERR_NONSTOP_REGISTER' });
}

export const isQuiet = saying === 'quiet';

const said = new Set<string>();

/** Writes a line on stderr, once. */
export function say(line: string): void {
  if (said.has(line)) return;
  said.add(line);
  try {
    // Written synchronously, which works in the thread of module hooks too.
    fs.writeSync(2, `nonstop/register: ${line}\n`);
  } catch {
    // A log that is closed (EPIPE) or full must not fail the program's `require()`.
  }
}

/** The result of the search: the entry that replaces a package, or the reason why none does. */
interface Found {
  readonly entry?: string | undefined;
  /** The folder of the package, if it is installed. */
  readonly folder?: string;
  /** The installed version, or that none is installed. */
  readonly where: string;
  readonly leftAlone?: string | undefined;
}

/**
 * Selects the entry that replaces a package: that of the version that the program would load.
 *
 * @param name `express` or `router`
 * @param importer the program's path, for messages
 * @param find returns the path of a `package.json` by its specifier, as the program would find it; throws if there is none
 */
export function entryFor(name: string, importer: string, find: (specifier: string) => string): Found {
  const found = look(name, importer, find);
  const { entry, where, leftAlone } = found;
  if (saying === 'explain') {
    const reason = leftAlone === undefined ? '' : `: ${leftAlone}`;
    say(`${importer} gets ${entry === undefined ? 'what is installed' : asPackage(entry)} (${where}${reason})`);
  } else if (leftAlone !== undefined && saying !== 'quiet' && PACKAGES[name].isToldOf) {
    say(`${where} is left alone: ${leftAlone}`);
  }
  return found;
}

/**
 * Whether a line is written when a file is loaded. For a package that is required by its path this is the first occasion. Where a second
 * thread resolves `import`, that thread has written the line already.
 */
const saysAtLoad = 'registerHooks' in Module && saying !== 'quiet';

/** The entry that replaces each package, by its folder. */
const entries = new Map<string, string | undefined>();

/**
 * Selects the entry that replaces the package in a folder.
 *
 * @returns undefined if the package is not one of Express's, or is not replaced
 */
export function entryIn(folder: string): string | undefined {
  if (entries.has(folder)) return entries.get(folder);
  const found = lookIn(folder);
  if (found?.leftAlone !== undefined && saysAtLoad) say(`${found.where} is left alone: ${found.leftAlone}`);
  entries.set(folder, found?.entry);
  return found?.entry;
}

/** From now on the package in this folder is not replaced. */
export function leaveAlone(folder: string): void {
  entries.set(folder, undefined);
}

function lookIn(folder: string): Found | undefined {
  const file = path.join(folder, 'package.json');
  let manifest: Manifest;
  try {
    manifest = JSON.parse(fs.readFileSync(file, 'utf8')) as Manifest;
    const { name } = manifest;
    if ((name !== 'express' && name !== 'router') || !isPackage(file, manifest)) return undefined;
  } catch {
    return undefined;
  }
  const found = read(manifest.name as string, file);
  return PACKAGES[manifest.name as string].isToldOf ? found : { ...found, leftAlone: undefined };
}

/** Whether a `package.json` is that of a package: a program may have such a name and version, too. A link may lead out of `node_modules`. */
function isPackage(file: string, { repository }: Manifest): boolean {
  return (
    /[\\/]node_modules[\\/]/.test(file) ||
    /\b(?:expressjs\/express|pillarjs\/router)\b/.test(JSON.stringify(repository))
  );
}

export function asPackage(entry: string): string {
  return entry === 'index' ? 'nonstop' : `nonstop/${entry}`;
}

function look(name: string, importer: string, find: (specifier: string) => string): Found {
  let manifest: string;
  try {
    manifest = find(`${name}/package.json`);
  } catch (error) {
    const place = folderOf(name, importer);
    if (place === undefined) return { entry: PACKAGES[name].missing, where: `no ${name} is installed` };
    // `exports` may hide the file, or the resolver cannot parse it.
    return read(name, path.join(place, 'package.json'), (error as Error).message);
  }
  return read(name, manifest);
}

/** The nearest folder for a package of this name. */
function folderOf(name: string, importer: string): string | undefined {
  for (let folder = path.dirname(importer); ; folder = path.dirname(folder)) {
    const place = path.join(folder, 'node_modules', name);
    if (fs.existsSync(place)) return place;
    if (folder === path.dirname(folder)) return undefined;
  }
}

interface Manifest {
  readonly name?: unknown;
  readonly version?: unknown;
  readonly repository?: unknown;
}

const manifests = new Map<string, Found>();

function read(name: string, file: string, problem?: string): Found {
  let found = manifests.get(file);
  if (found === undefined) {
    found = { folder: path.dirname(file), ...judge(name, file, problem) };
    manifests.set(file, found);
  }
  return found;
}

function judge(name: string, file: string, problem: string | undefined): Found {
  const where = `${name} in ${path.dirname(file)}`;
  let manifest: Manifest | null;
  try {
    manifest = JSON.parse(fs.readFileSync(file, 'utf8')) as Manifest | null;
  } catch (error) {
    return { where, leftAlone: `its package.json cannot be read (${problem ?? (error as Error).message})` };
  }
  const version = manifest?.version;
  if (typeof version !== 'string') return { where, leftAlone: 'its package.json has no version' };
  // The installed package is Nonstop itself, through an alias: the program gets that copy.
  if (manifest?.name === 'nonstop') return { where: `${where}, which is nonstop ${version}` };
  const known = `${name} ${version} in ${path.dirname(file)}`;
  if (manifest?.name !== name) return { where: known, leftAlone: `it is the package '${String(manifest?.name)}'` };
  if (!isPackage(file, manifest))
    return { where: known, leftAlone: `it is not in node_modules, and not from the repository of ${name}` };
  const entry = PACKAGES[name].majors[/^(\d+)\.\d+\.\d+$/.exec(version)?.[1] ?? ''];
  if (entry !== undefined) return { entry, where: known };
  const majors = Object.keys(PACKAGES[name].majors).join(' and ');
  return { where: known, leftAlone: `Nonstop stands for ${name === 'express' ? 'Express' : name} ${majors}` };
}
