import { randomBytes } from 'node:crypto';
import { MongoClient, type Db } from 'mongodb';
import { buildFerretDb } from './build-ferretdb.js';
import { FerretDb } from './ferretdb.js';

/** Time limit of a user's database for an answer, in milliseconds. */
const patience = 5000;

/** The database of the contestants. */
export interface Database {
  /** Its name in tables and records. */
  readonly label: string;
  readonly url: string;
  /** Started by the lab and pinned to its cores. */
  readonly own: boolean;
  /** Prefix of the contestants' collections: a user's database may have other ones. */
  readonly collections: string;
  /** Whether the database answers now. */
  answers(): Promise<boolean>;
  /** Removes the collections, and the database itself when it is the lab's own. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** Names of the shapes, each of which has a collection. */
  readonly shapes: readonly string[];
  /** Cores for the lab's own database, as a list for taskset. */
  readonly cores?: string;
  readonly progress: (step: string) => void;
  readonly signal?: AbortSignal;
  /** Address of a database. Default: MONGODB_URL. */
  readonly url?: string;
}

/**
 * Opens the user's database at MONGODB_URL, or else starts a FerretDB, which is built first if necessary.
 *
 * @throws {Error} in one line if there is none, with what to do
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { url = process.env['MONGODB_URL'], progress, signal } = options;
  if (url !== undefined && url !== '') return prepared(url, options);
  const programs = await buildFerretDb({ progress, signal });
  progress('starting FerretDB');
  const ferretDb = await FerretDb.start(programs, options.cores);
  try {
    return await prepared(ferretDb.url, options, ferretDb);
  } catch (error) {
    // A second stop does nothing.
    await ferretDb.stop();
    throw error;
  }
}

async function connect(url: string): Promise<MongoClient> {
  let client: MongoClient | undefined;
  try {
    // Options in the user's address take precedence.
    const wait = /[?&]serverSelectionTimeoutMS=/i.test(url) ? {} : { serverSelectionTimeoutMS: patience };
    client = new MongoClient(url, { ...wait, appName: 'nonstop-lab' });
    await client.db().command({ ping: 1 });
    return client;
  } catch (error) {
    await client?.close();
    // The address may hold a password: it is not repeated.
    throw new Error(`No database answers at MONGODB_URL: ${oneLine(error)}`, { cause: error });
  }
}

const oneLine = (error: unknown): string => (error instanceof Error ? error.message : String(error)).split('\n')[0];

async function prepared(url: string, { shapes }: DatabaseOptions, own?: FerretDb): Promise<Database> {
  const client = await connect(url);
  const database = client.db();
  const collections = `nonstop_lab_${randomBytes(4).toString('hex')}_`;
  const names = shapes.map((shape) => collections + shape);
  const close = async (): Promise<void> => {
    if (own === undefined) await dropAll(database, names);
    await client.close();
    await own?.stop();
  };
  try {
    for (const name of names) await database.createCollection(name);
    await own?.indexIds();
    const label = own === undefined ? labelOf(await database.admin().buildInfo()) : 'FerretDB (SQLite)';
    return { label, url, own: own !== undefined, collections, answers: () => pings(database), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Nothing can be removed from a database that does not answer: wait for it only once. */
async function dropAll(database: Db, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const dropped = await database.dropCollection(name).catch(() => undefined);
    if (dropped === undefined && !(await pings(database))) return;
  }
}

async function pings(database: Db): Promise<boolean> {
  try {
    await database.command({ ping: 1 }, { timeoutMS: patience });
    return true;
  } catch {
    return false;
  }
}

/**
 * The name of a server by its own information: other servers speak MongoDB's protocol and report a version of MongoDB.
 *
 * @param info the answer to `buildInfo`
 */
export function labelOf(info: Readonly<Record<string, unknown>>): string {
  const { version, ferretdbVersion, ferretdb, storageEngines } = info;
  const ferret = ferretdbVersion ?? (ferretdb as { version?: unknown } | undefined)?.version;
  if (ferret !== undefined) return `FerretDB ${String(ferret)}`;
  // Only MongoDB reports its storage engines.
  const isMongo = Array.isArray(storageEngines) && storageEngines.includes('wiredTiger');
  return isMongo ? `MongoDB ${String(version)}` : `a server over the MongoDB protocol ${String(version)}`;
}
