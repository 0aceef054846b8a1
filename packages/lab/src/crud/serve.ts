import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { findCores } from '../cores.js';
import type { Bench } from '../measure.js';
import { newRun } from '../record.js';
import { chooseContestants, versionsOf } from './contestants.js';
import { coordinator } from './coordinator.js';
import { builtPage } from './page.js';
import { openStage, startAll, stopAll } from './stage.js';

export interface ServeOptions {
  /** Names; all when left out. */
  readonly contestants?: readonly string[];
  /** On 127.0.0.1. Default and 0: a free port. */
  readonly port?: number;
  /** For the contestants' servers; the running one when left out. */
  readonly node?: Bench['node'];
  /** With false only the data is served, not the page. */
  readonly page?: boolean;
  /** Folder of the records; `packages/lab/results` when left out. */
  readonly results?: string;
  readonly progress?: (step: string) => void;
  readonly signal?: AbortSignal;
}

export interface Served {
  /** Where the page is. */
  readonly url: string;
  /** Ends the page's server, the contestants and the database. */
  close(): Promise<void>;
}

/**
 * Serves the page of the study, with a database and the contestants.
 *
 * @throws {Error} in one line, if there is no database, the port is in use or a contestant does not start; nothing is left running then
 */
export async function serveCrud(options: ServeOptions = {}): Promise<Served> {
  const { port = 0, results, signal, progress = () => undefined } = options;
  const contestants = chooseContestants(options.contestants);
  const node = options.node ?? { version: process.version, path: process.execPath };
  const fresh = newRun('crud-browser', results);
  const run = { ...fresh, versions: { ...fresh.versions, ...versionsOf(contestants), node: node.version } };
  const cores = findCores();
  const open: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (let end = open.pop(); end !== undefined; end = open.pop()) await end();
  };
  try {
    const page = options.page === false ? undefined : await builtPage(progress, signal);
    const database = await openStage({ cores, progress, signal });
    open.push(() => database.close());
    signal?.throwIfAborted();
    progress('starting the contestants');
    const peers = await startAll({ contestants, node, database, core: cores.server, signal });
    open.push(() => stopAll(peers));
    signal?.throwIfAborted();
    const server = coordinator({ contestants, peers, database, run, page, results }).listen(port, '127.0.0.1');
    await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'EADDRINUSE' ? new Error(`Port ${port} is taken`, { cause: error }) : error;
    });
    open.push(async () => {
      server.close();
      server.closeAllConnections();
    });
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close };
  } catch (error) {
    await close();
    throw error;
  }
}
