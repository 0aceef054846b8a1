import fs = require('node:fs');
import path = require('node:path');

/** What Nonstop stands for of one package, by its major version: names of entries. */
interface StandsFor {
  readonly majors: Readonly<Record<string, string>>;
  /** Where the package is not installed. */
  readonly missing?: string;
  /** Whether a line says what is left alone. */
  readonly isToldOf: boolean;
}

const PACKAGES: Readonly<Record<string, StandsFor>> = {
  express: { majors: { 4: 'v4', 5: 'index' }, missing: 'index', isToldOf: true },
  // Express 5's, which is a package of its own. Other versions are other people's.
  router: { majors: { 2: 'router/index' }, isToldOf: false },
};

/** What may be said on stderr: everything, or nothing. Without it, what is left alone. */
type Saying = 'explain' | 'quiet' | undefined;

const saying = readSaying(process.env['NONSTOP_REGISTER']);

/** @throws TypeError ERR_NONSTOP_REGISTER for an unknown value */
function readSaying(value: string | undefined): Saying {
  if (value === undefined || value === '') return undefined;
  if (value === 'explain' || value === 'quiet') return value;
  const error = new TypeError(`NONSTOP_REGISTER is '${value}', and must be 'quiet' or 'explain'`);
  throw Object.assign(error, { code: 'ERR_NONSTOP_REGISTER' });
}

const said = new Set<string>();

function say(line: string): void {
  if (said.has(line)) return;
  said.add(line);
  // At once, in the thread of module hooks too.
  fs.writeSync(2, `nonstop/register: ${line}\n`);
}

/** What a program would find under a package's name: an entry that stands for it, or the reason why none does. */
interface Found {
  readonly entry?: string | undefined;
  /** What is there, or that nothing is. */
  readonly where: string;
  readonly leftAlone?: string;
}

/**
 * Which entry a program gets for a package: that of the version that is installed next to it.
 *
 * @param name `express` or `router`
 * @param importer the program, for what is said of it
 * @param find gives the path of a `package.json` by its specifier, as the program would find it; throws where there is none
 * @returns the name of the entry; undefined where the program gets what is installed
 */
export function entryFor(name: string, importer: string, find: (specifier: string) => string): string | undefined {
  const { entry, where, leftAlone } = look(name, importer, find);
  if (saying === 'explain') {
    const reason = leftAlone === undefined ? '' : `: ${leftAlone}`;
    say(`${importer} gets ${entry === undefined ? 'what is installed' : asPackage(entry)} (${where}${reason})`);
  } else if (leftAlone !== undefined && saying !== 'quiet' && PACKAGES[name].isToldOf) {
    say(`${where} is left alone: ${leftAlone}`);
  }
  return entry;
}

function asPackage(entry: string): string {
  return entry === 'index' ? 'nonstop' : `nonstop/${entry}`;
}

function look(name: string, importer: string, find: (specifier: string) => string): Found {
  let manifest: string;
  try {
    manifest = find(`${name}/package.json`);
  } catch (error) {
    const place = folderOf(name, importer);
    if (place === undefined) return { entry: PACKAGES[name].missing, where: `no ${name} is installed` };
    // `exports` may hide it, and the resolver reads it too.
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
}

const manifests = new Map<string, Found>();

function read(name: string, file: string, problem?: string): Found {
  let found = manifests.get(file);
  if (found === undefined) manifests.set(file, (found = judge(name, file, problem)));
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
  // Already Nonstop, by an alias: its own copy is what the program asked for.
  if (manifest?.name === 'nonstop') return { where: `${where}, which is nonstop ${version}` };
  const known = `${name} ${version} in ${path.dirname(file)}`;
  if (manifest?.name !== name) return { where: known, leftAlone: `it is the package '${String(manifest?.name)}'` };
  const entry = PACKAGES[name].majors[/^(\d+)\.\d+\.\d+$/.exec(version)?.[1] ?? ''];
  if (entry !== undefined) return { entry, where: known };
  const majors = Object.keys(PACKAGES[name].majors).join(' and ');
  return { where: known, leftAlone: `Nonstop stands for ${name === 'express' ? 'Express' : name} ${majors}` };
}
