import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path = require('node:path');
import { promisify } from 'node:util';
import type { FerretDbPrograms } from './build-ferretdb.js';

const execute = promisify(execFile);

/** Time limit of its start, in milliseconds. */
const patience = 20_000;

/** The lab's own FerretDB, in a temporary folder. */
export class FerretDb {
  readonly url: string;
  readonly #child: ChildProcess;
  readonly #programs: FerretDbPrograms;
  readonly #folder: string;

  private constructor(child: ChildProcess, programs: FerretDbPrograms, { port, folder }: Started) {
    this.#child = child;
    this.#programs = programs;
    this.#folder = folder;
    this.url = `mongodb://127.0.0.1:${port}/${databaseName}`;
  }

  /**
   * Starts it and waits until it listens.
   *
   * @param cores for taskset; not pinned by default
   * @throws {Error} with its output, if it ends or does not listen in time
   */
  static async start(programs: FerretDbPrograms, cores = ''): Promise<FerretDb> {
    const args = [path.join(__dirname, 'ferretdb-process.js'), programs.server, cores];
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      // Ctrl-C goes to the whole process group, but the last samples are taken first.
      detached: true,
    });
    const closed = once(child, 'close');
    let output = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-2000)));
    try {
      return new FerretDb(child, programs, await hello(child));
    } catch (error) {
      child.kill('SIGTERM');
      // Its output is complete only then.
      await closed;
      throw new Error(`FerretDB does not start\n${output.trim()}`, { cause: error });
    }
  }

  get alive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /**
   * Gives every existing collection an index that its queries use.
   *
   * @returns the number of collections
   * @throws {Error} when that fails, or the index would not be used
   */
  async indexIds(): Promise<number> {
    const { stdout } = await execute(this.#programs.indexer, [path.join(this.#folder, `${databaseName}.sqlite`)]);
    return Number(stdout);
  }

  /** Ends it and removes its data. */
  async stop(): Promise<void> {
    if (!this.alive) return;
    const gone = once(this.#child, 'exit');
    const timer = setTimeout(() => this.#child.disconnect(), 5000);
    this.#child.kill('SIGTERM');
    await gone;
    clearTimeout(timer);
  }
}

const databaseName = 'lab';

interface Started {
  readonly port: number;
  readonly folder: string;
}

async function hello(child: ChildProcess): Promise<Started> {
  const signal = AbortSignal.timeout(patience);
  const ended = once(child, 'exit', { signal }).then(() => {
    throw new Error('it ended');
  });
  const [message] = await Promise.race([once(child, 'message', { signal }), ended]);
  return message as Started;
}
