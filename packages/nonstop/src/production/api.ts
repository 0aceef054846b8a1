import path from 'node:path';
import { drain, type DrainReport } from './drain.js';
import { lifecycle, type CheckKind, type DrainNotice, type Phase } from './lifecycle.js';
import { fileOf } from './load.js';
import { ProductionError } from './errors.js';
import { canServe, noteListening } from './listening.js';
import { readOptions, timeOf, wrongValue, type ProductionOptions, type Time } from './options.js';
import { serveTarget, type Service } from './run.js';
import { Supervisor } from './supervisor.js';

/** The exports of `nonstop/production`. */
export interface Production {
  /**
   * Serves a server, an application (Express, Koa, Fastify) or a handler `(req, res)` in this process.
   *
   * @param target an `http.Server`, an application, or a handler
   * @param options `signals: false` leaves SIGTERM and SIGINT to the program; by default they drain and end the process
   * @returns once it listens and its checks pass
   * @throws an Error with a `code` such as ERR_NONSTOP_OPTION or ERR_NONSTOP_LISTEN, whose message is one line
   */
  serve(target: unknown, options?: ProductionOptions & { signals?: boolean }): Promise<Service>;

  /**
   * Runs a program in worker processes, as the command does with `--workers`; `workers` is `auto` by default.
   *
   * @param file the program, as an argument of `node`
   * @param options `args` are the program's arguments in `process.argv`
   * @returns the exit status of the command, once all workers have ended
   */
  supervise(file: string, options?: ProductionOptions & { args?: readonly string[] }): Promise<number>;

  /**
   * Adds a hook that runs after all requests are answered, for example to close a database. Hooks run one after another,
   * in the order in which they were added; after one that throws or hangs the next one still runs.
   *
   * @param name of the hook, for the log
   * @param run may return a promise
   * @param options `timeout` as a time of the options, default the option `hookTimeout`
   * @throws an Error with the code ERR_NONSTOP_OPTION for a hook that is not a function or a wrong time
   */
  onShutdown(name: string, run: () => unknown, options?: { timeout?: Time }): void;

  /**
   * Adds a listener for the start of the drain. Requests still arrive then.
   *
   * @param hear called once, with the times at which streams are ended and remaining requests are cut off
   * @returns a function that removes the listener
   */
  onDrain(hear: (notice: DrainNotice) => void): () => void;

  /**
   * Adds a check to `/readyz`, or to `/livez` by `kind: 'live'`. It fails if it throws, rejects, returns false or takes
   * longer than a second. A check of the same name is replaced.
   *
   * @param name of the check, for the answer of the health port
   * @param run may return a promise
   * @param options `kind: 'live'` adds it to `/livez`
   * @returns a function that removes the check
   */
  addCheck(name: string, run: () => unknown, options?: { kind?: CheckKind }): () => void;

  /** The phase of this process: `starting`, `ready`, `draining` or `closed`. */
  phase(): Phase;

  /** A signal that is aborted when this process begins to drain. */
  readonly draining: AbortSignal;

  /**
   * Stops the servers of this process without losing a request, and runs the hooks. The process does not exit.
   *
   * @param options time limits, as for {@link serve}
   * @returns what did not finish in time
   */
  drain(options?: ProductionOptions): Promise<DrainReport>;
}

/** @param folder of the package's entries */
export function productionApi(folder: string): Production {
  noteListening();
  return {
    async serve(target, given = {}) {
      mustBeObject(given);
      const { signals = true, ...options } = given;
      if (typeof signals !== 'boolean') throw wrongValue('signals', signals, 'true or false');
      if (lifecycle.draining.signal.aborted) {
        const text =
          'serve() was called after drain(): a process drains once. Serve and drain in a process of its own, such as one for each test file';
        throw new ProductionError('ERR_NONSTOP_DRAINED', text);
      }
      if (typeof target !== 'function' && !canServe(target)) throw nothingToServe(target);
      if (options.workers)
        throw wrongValue('workers', options.workers, '0: serve() is one process, supervise() has workers');
      return serveTarget(target, readOptions(options), signals);
    },

    async supervise(file, given = {}) {
      mustBeObject(given);
      if (typeof file !== 'string') throw wrongValue('file', file, 'the path of a program');
      const { args = [], ...options } = given;
      const { workers = 'auto' } = options;
      const settings = readOptions({ ...options, workers });
      if (!Array.isArray(args)) throw wrongValue('args', args, "a list, such as ['--name', 'x']");
      if (settings.workers === 0) throw wrongValue('workers', 0, 'at least 1: serve() is one process');
      fileOf(file);
      return new Supervisor({ file, args }, settings, path.join(folder, 'bin.js')).run();
    },

    onShutdown(name, run, options = {}) {
      mustCall('the hook of onShutdown()', run);
      const { timeout } = onlyWith('timeout', options, "{ timeout: '10s' }");
      lifecycle.hooks.push({ name, run, timeout: timeout === undefined ? undefined : timeOf('timeout', timeout) });
    },

    onDrain(hear) {
      mustCall('the listener of onDrain()', hear);
      lifecycle.notices.add(hear);
      return () => void lifecycle.notices.delete(hear);
    },

    addCheck(name, run, options = {}) {
      mustCall('the check of addCheck()', run);
      const { kind = 'ready' } = onlyWith('kind', options, "{ kind: 'live' }");
      if (kind !== 'ready' && kind !== 'live') throw wrongValue('kind', kind, "'ready' or 'live'");
      const check = { name, kind, run };
      lifecycle.checks.set(name, check);
      return () => {
        // Another check may have replaced it.
        if (lifecycle.checks.get(name) === check) lifecycle.checks.delete(name);
      };
    },

    phase: () => lifecycle.phase,
    draining: lifecycle.draining.signal,
    // The port does not matter here, so a PORT that is a path must not throw.
    drain(options = {}) {
      mustBeObject(options, "{ grace: '30s' }");
      const isFirst = lifecycle.phase !== 'draining';
      const drained = drain(readOptions({ port: 0, ...options }));
      // A worker that has nothing left to do ends, as a process without a supervisor does, and is replaced.
      if (isFirst) void drained.then(() => process.channel?.unref());
      return drained;
    },
  };
}

/** @throws ProductionError ERR_NONSTOP_OPTION for a value that cannot be called: otherwise only the drain would find it */
function mustCall(name: string, given: unknown): void {
  if (typeof given !== 'function') throw wrongValue(name, given, 'a function');
}

/** @throws ProductionError ERR_NONSTOP_OPTION for options such as a bare port, of which nothing would be read */
function mustBeObject(given: unknown, example = '{ port: 8080 }'): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw wrongValue('options', Array.isArray(given) ? JSON.stringify(given) : given, `an object, such as ${example}`);
}

/** @throws ProductionError ERR_NONSTOP_OPTION for options that are no object, or have another name than this one */
function onlyWith<T extends object>(name: keyof T, given: T, example: string): T {
  mustBeObject(given, example);
  const unknown = Object.keys(given).find((each) => each !== name);
  if (unknown !== undefined) throw wrongValue('an option', unknown, `'${String(name)}'`);
  return given;
}

function nothingToServe(target: unknown): ProductionError {
  const given = target === null || target === undefined ? String(target) : `a value of type ${typeof target}`;
  const text = `serve() got ${given}, and needs an http.Server, an application or a handler. Look at what its file exports`;
  return new ProductionError('ERR_NONSTOP_NO_SERVER', text);
}
