import path from 'node:path';
import { drain, type DrainReport } from './drain.js';
import { lifecycle, type CheckKind, type DrainNotice, type Phase } from './lifecycle.js';
import { fileOf } from './load.js';
import { readOptions, type ProductionOptions } from './options.js';
import { serveTarget, type Service } from './run.js';
import { Supervisor } from './supervisor.js';

/** What `nonstop/production` exports. */
export interface Production {
  /**
   * Serves a server, an application (Express, Koa, Fastify) or a handler `(req, res)` in this process.
   *
   * @param target what serves: an `http.Server`, an application, or a handler
   * @param options `signals: false` leaves SIGTERM and SIGINT to the program; without it they drain and end the process
   * @returns once it listens and its checks say that it is ready
   * @throws an Error with a `code` such as ERR_NONSTOP_OPTION or ERR_NONSTOP_LISTEN, whose message is one line
   */
  serve(target: unknown, options?: ProductionOptions & { signals?: boolean }): Promise<Service>;

  /**
   * Runs a program in worker processes, as the command does with `--workers`; `workers` is `auto` where it is not given.
   *
   * @param file the program, as `node` takes it
   * @param options `args` are what the program finds in `process.argv`
   * @returns the exit status that the command would give, once all workers are gone
   */
  supervise(file: string, options?: ProductionOptions & { args?: readonly string[] }): Promise<number>;

  /**
   * Adds a hook that runs once all requests are answered: closes a database, hands back a queue. Hooks run one after the other, in the order
   * in which they were added; one that throws or hangs does not keep the next from its turn.
   *
   * @param name of the hook, for the log
   * @param run may return a promise
   * @param options `timeout` in milliseconds, default the option `hookTimeout`
   */
  onShutdown(name: string, run: () => unknown, options?: { timeout?: number }): void;

  /**
   * Hears that this process drains, while requests still come.
   *
   * @param hear called once, with the times at which streams end and everything is cut
   * @returns what takes the listener away
   */
  onDrain(hear: (notice: DrainNotice) => void): () => void;

  /**
   * Adds a check to `/readyz`, or to `/livez` by `kind: 'live'`. It fails where it throws, rejects, gives false or takes longer than a
   * second. A check of the same name is replaced.
   *
   * @param name of the check, for the answer of the health port
   * @param run may return a promise
   * @param options `kind: 'live'` adds it to `/livez`
   * @returns what takes the check away
   */
  addCheck(name: string, run: () => unknown, options?: { kind?: CheckKind }): () => void;

  /** Where this process is between its start and its end. */
  phase(): Phase;

  /** Aborted when this process begins to drain. */
  readonly draining: AbortSignal;

  /** Ends what this process serves without losing a request, and runs the hooks. The process goes on. */
  drain(options?: ProductionOptions): Promise<DrainReport>;
}

/** @param folder that of the package's entries */
export function productionApi(folder: string): Production {
  return {
    async serve(target, { signals = true, ...options } = {}) {
      return serveTarget(target, readOptions(options), signals);
    },

    async supervise(file, { args = [], ...options } = {}) {
      const settings = readOptions({ workers: 'auto', ...options });
      return new Supervisor({ file: fileOf(file), args }, settings, path.join(folder, 'bin.js')).run();
    },

    onShutdown(name, run, { timeout } = {}) {
      lifecycle.hooks.push({ name, run, timeout });
    },

    onDrain(hear) {
      lifecycle.notices.add(hear);
      return () => void lifecycle.notices.delete(hear);
    },

    addCheck(name, run, { kind = 'ready' } = {}) {
      lifecycle.checks.set(name, { name, kind, run });
      return () => void lifecycle.checks.delete(name);
    },

    phase: () => lifecycle.phase,
    draining: lifecycle.draining.signal,
    drain: (options = {}) => drain(readOptions({ ...options })),
  };
}
