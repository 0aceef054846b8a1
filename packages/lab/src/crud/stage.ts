import type { Bench } from '../measure.js';
import type { Cores } from '../cores.js';
import { Peer } from '../peer.js';
import type { CrudContestant } from './contestants.js';
import { openDatabase, type Database } from './database.js';
import { shapeNames } from './shapes.js';

/** Idle limit of a connection, in milliseconds: longer than the turns of the others. */
const keepAliveTimeout = 600_000;

export interface StageOptions {
  readonly cores: Cores;
  readonly progress: (step: string) => void;
  readonly signal?: AbortSignal;
  /** Where a database is; MONGODB_URL when left out. */
  readonly url?: string;
}

/** Opens the database for several runs of contestants. */
export const openStage = ({ cores, ...options }: StageOptions): Promise<Database> =>
  openDatabase({ ...options, shapes: shapeNames, cores: cores.others });

export interface Cast {
  readonly contestants: Readonly<Record<string, CrudContestant>>;
  readonly node: Bench['node'];
  readonly database: Database;
  readonly core?: number;
  readonly signal?: AbortSignal;
}

/**
 * Starts the contestants' servers.
 *
 * @param onFailure called for a contestant that does not start; without it, that is an error
 * @throws {Error} with its output if one does not start, or if `signal` aborts; none is left running then
 */
export async function startAll(
  { contestants, node, database, core, signal }: Cast,
  onFailure?: (contestant: string, error: unknown) => void,
): Promise<Map<string, Peer>> {
  const env = {
    MONGODB_URL: database.url,
    CRUD_COLLECTIONS: database.collections,
    KEEP_ALIVE_TIMEOUT: String(keepAliveTimeout),
  };
  const options = { node: node.path, scenario: 'crud', core, signal };
  const sources = Object.entries(contestants);
  const outcomes = await Promise.allSettled(sources.map(([, source]) => Peer.start({ ...source, env }, options)));
  const peers = new Map<string, Peer>();
  const failures: [string, unknown][] = [];
  for (const [place, outcome] of outcomes.entries()) {
    const [name] = sources[place];
    if (outcome.status === 'fulfilled') peers.set(name, outcome.value);
    else failures.push([name, outcome.reason]);
  }
  try {
    signal?.throwIfAborted();
    for (const [name, error] of failures) {
      if (onFailure === undefined) throw error;
      onFailure(name, error);
    }
    return peers;
  } catch (error) {
    await stopAll(peers);
    throw error;
  }
}

export async function stopAll(peers: ReadonlyMap<string, Peer>): Promise<void> {
  await Promise.all([...peers.values()].map((peer) => peer.stop()));
}
