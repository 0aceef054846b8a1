import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs = require('node:fs');
import os = require('node:os');
import path = require('node:path');
import { promisify } from 'node:util';
import { labRoot } from '../paths.js';

const execute = promisify(execFile);

/** The newest version with a backend that needs no other server: FerretDB 2 is an extension of PostgreSQL. */
const version = 'v1.24.0';
const module_ = 'github.com/FerretDB/FerretDB';

const indexSource = path.join(labRoot, 'services', 'index-ids.go');

/** The built programs: the database, and the one that adds an index to its tables. */
export interface FerretDbPrograms {
  readonly server: string;
  readonly indexer: string;
}

export interface BuildOptions {
  readonly progress?: (step: string) => void;
  readonly signal?: AbortSignal;
  /** Folder for the programs of every version. Default: `packages/lab/.services`. */
  readonly home?: string;
}

/** The message for a user without Go and without a database. */
const noGo =
  'The study crud needs a database over the MongoDB protocol: set MONGODB_URL to one, or install Go 1.22 or newer ' +
  '(https://go.dev/dl), with which FerretDB is built here.';

/** Outside the folders that a build of this package clears. */
const usualHome = path.join(labRoot, '.services');

function programsIn(home: string): FerretDbPrograms {
  // A changed source of the indexer needs another build.
  const mark = createHash('sha256').update(fs.readFileSync(indexSource)).digest('hex').slice(0, 8);
  const folder = path.join(home, `ferretdb-${version}-${mark}`);
  const program = (name: string): string => path.join(folder, process.platform === 'win32' ? `${name}.exe` : name);
  return { server: program('ferretdb'), indexer: program('index-ids') };
}

/** Whether FerretDB is built or can be built, because Go is installed. */
export const canHaveFerretDb = (): boolean => isBuilt(programsIn(usualHome)) || hasGo();

/**
 * Builds FerretDB from its Go module, once: about a minute on two cores, and a network for Go's modules.
 *
 * @returns the paths of the programs
 * @throws {Error} in one line if Go is missing; with the compiler's last lines if the build fails
 */
export async function buildFerretDb(options: BuildOptions = {}): Promise<FerretDbPrograms> {
  const { progress, signal, home = usualHome } = options;
  const programs = programsIn(home);
  if (isBuilt(programs)) return programs;
  if (!hasGo()) throw new Error(noGo);
  progress?.(`building FerretDB ${version} with Go, once: about a minute`);
  fs.mkdirSync(home, { recursive: true });
  const work = fs.mkdtempSync(path.join(os.tmpdir(), 'nonstop-ferretdb-build-'));
  try {
    await compile(await fetchSource(work, signal), path.join(work, 'out'), signal);
    await keep(path.join(work, 'out'), path.dirname(programs.server));
  } finally {
    fs.rmSync(work, { recursive: true, force: true });
  }
  return programs;
}

const isBuilt = ({ server, indexer }: FerretDbPrograms): boolean => fs.existsSync(server) && fs.existsSync(indexer);

function hasGo(): boolean {
  try {
    execFileSync('go', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Go's module cache must not be written to: the source is built in a copy. */
async function fetchSource(work: string, signal: AbortSignal | undefined): Promise<string> {
  const stdout = await go(['mod', 'download', '-json', `${module_}@${version}`], { cwd: work, signal });
  const { Dir } = JSON.parse(stdout) as { Dir: string };
  const source = path.join(work, 'source');
  await fs.promises.cp(Dir, source, { recursive: true });
  // The cache may be read-only, and then the copy is too: make it writable.
  fs.chmodSync(source, 0o755);
  for (const entry of fs.readdirSync(source, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) fs.chmodSync(path.join(entry.parentPath, entry.name), 0o755);
  }
  const stamp = path.join(source, 'build', 'version', 'version.txt');
  // FerretDB's release builds write this file; without it `go install` fails.
  fs.rmSync(stamp, { force: true });
  fs.writeFileSync(stamp, `${version}\n`);
  const place = path.join(source, 'cmd', 'index-ids');
  fs.mkdirSync(place);
  fs.copyFileSync(indexSource, path.join(place, 'main.go'));
  return source;
}

async function compile(source: string, out: string, signal: AbortSignal | undefined): Promise<void> {
  fs.mkdirSync(out);
  const programs = ['./cmd/ferretdb', './cmd/index-ids'];
  const flags = ['-tags', 'ferretdb_no_postgresql', '-trimpath', '-ldflags', '-s -w'];
  await go(['build', ...flags, '-o', `${out}${path.sep}`, ...programs], {
    cwd: source,
    signal,
  });
}

/** The file gets its final name only when it is complete, because another lab may build at the same time. */
async function keep(out: string, home: string): Promise<void> {
  const fresh = `${home}.${process.pid}`;
  // Not a rename: the folder for temporary files may be on another disk.
  await fs.promises.cp(out, fresh, { recursive: true });
  try {
    fs.renameSync(fresh, home);
  } catch (error) {
    fs.rmSync(fresh, { recursive: true });
    if (!fs.existsSync(home)) throw error;
  }
}

async function go(args: readonly string[], { cwd, signal }: { cwd: string; signal?: AbortSignal }): Promise<string> {
  // With read-only modules `rm -r` of a cache would fail. FerretDB needs no C compiler.
  const env = { ...process.env, GOFLAGS: '-modcacherw -buildvcs=false', CGO_ENABLED: '0' };
  try {
    const { stdout } = await execute('go', args, { cwd, env, signal, maxBuffer: 2 ** 26 });
    return stdout;
  } catch (error) {
    signal?.throwIfAborted();
    const { stderr = '', stdout = '', message } = error as Error & { stderr?: string; stdout?: string };
    const lines = (stderr.trim() || stdout.trim() || message).split('\n').slice(-5).join('\n');
    throw new Error(`FerretDB ${version} could not be built (go ${args[0]}):\n${lines}`, { cause: error });
  }
}
