import { spawn, type ChildProcess } from 'node:child_process';
import { on, once } from 'node:events';
import { randomInt } from 'node:crypto';
import net = require('node:net');
import path = require('node:path');
import type { Served, Shares, Usage } from './agent.js';
import { pinned } from './cores.js';
import { mustBeWithoutNonstop } from './environment.js';
import { labRoot } from './paths.js';
import type { PeerSource } from './scenario.js';
import { usageOfProcess } from './usage-of-process.js';

/** Time limits of a server to listen, to report its usage and to stop, in milliseconds. */
const patience = 20_000;

export interface PeerOptions {
  /** Path of the Node binary. */
  readonly node: string;
  readonly scenario: string;
  readonly core?: number;
  /** MB of objects that it keeps, beside its own. */
  readonly liveHeap?: number;
  /** Aborts the wait until it listens. */
  readonly signal?: AbortSignal;
}

/** The address of a server. */
interface Address {
  readonly port: number;
  /** It speaks TLS. */
  readonly secure: boolean;
  /** Paths without parameters that an application has reported; empty if it reports none. */
  readonly routes: readonly string[];
  /** Why it may be another server of the application than the one that is meant, in a sentence. */
  readonly doubt?: string;
}

/** The server of one contestant, in its own process. */
export class Peer {
  readonly port: number;
  readonly secure: boolean;
  readonly routes: readonly string[];
  readonly doubt: string | undefined;
  /** Node's profiler can be asked. */
  readonly onNode: boolean;
  /** What it uses is read from /proc. */
  readonly #withoutAgent: boolean;
  readonly #child: ChildProcess;
  readonly #output: Output;

  private constructor(
    child: ChildProcess,
    { port, secure, routes, doubt }: Address,
    output: Output,
    { program, withoutAgent = false }: PeerSource,
  ) {
    this.onNode = program === undefined;
    this.#withoutAgent = withoutAgent;
    this.#child = child;
    this.port = port;
    this.secure = secure;
    this.routes = routes;
    this.doubt = doubt;
    this.#output = output;
  }

  /**
   * Starts a server and waits until it listens.
   *
   * @throws {Error} with its output, if it ends or does not listen in time; in one line, if the environment loads Nonstop into it
   */
  static async start(source: PeerSource, options: PeerOptions): Promise<Peer> {
    mustBeWithoutNonstop();
    // A user's application may not accept 0 as a port.
    if (source.announces !== true) return Peer.#start(source, options, 0);
    for (let tries = 1; ; tries++) {
      const port = await freePort();
      try {
        return await Peer.#start(source, options, port);
      } catch (error) {
        // This port was free a moment ago.
        if (tries === 3 || !new RegExp(`EADDRINUSE\\b.*:${port}\\b`).test((error as Error).message)) throw error;
      }
    }
  }

  static async #start(
    source: PeerSource,
    { node, scenario, core, liveHeap, signal }: PeerOptions,
    port: number,
  ): Promise<Peer> {
    const file = path.resolve(labRoot, 'peers', source.file);
    // An application of a user may have a variable of this name itself.
    const named = source.announces === true ? {} : { SCENARIO: scenario };
    const environment = { NODE_ENV: 'production', PORT: String(port), ...named };
    const held = liveHeap === undefined ? {} : { LAB_LIVE_HEAP: String(liveHeap) };
    const env: NodeJS.ProcessEnv = { ...process.env, ...environment, ...held, ...source.env };
    const args = (source.args ?? []).map((word) => withVariables(word, env));
    const options = ['--require', path.join(__dirname, 'agent.js'), ...(source.nodeOptions ?? [])];
    const child = spawn(...pinned(core, source.program ?? node, [...options, file, ...args]), {
      cwd: source.cwd ?? labRoot,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env,
      // Ctrl-C goes to the whole process group, but the lab takes the last samples first and then stops its children
      // itself.
      detached: true,
    });
    const output = collect(child);
    try {
      return new Peer(child, await listening(child, output, { source, signal }), output, source);
    } catch (error) {
      child.kill('SIGKILL');
      endGroup(child);
      throw error;
    }
  }

  get alive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Whether the process has ended, or ends within this number of milliseconds. */
  async ends(milliseconds: number): Promise<boolean> {
    if (this.alive)
      await once(this.#child, 'exit', { signal: AbortSignal.timeout(milliseconds) }).catch(() => undefined);
    return !this.alive;
  }

  /** Why the process has ended, with its output. */
  obituary(): string {
    return `ended (${this.#child.signalCode ?? this.#child.exitCode})\n${this.#output.text}`;
  }

  /**
   * The resource usage of the process so far.
   *
   * @param collected after a garbage collection, in a process that was started with `--expose-gc`
   * @throws {Error} when it has ended or does not answer
   */
  async usage(collected = false): Promise<Usage> {
    if (this.#withoutAgent) return usageOfProcess(this.#child.pid as number);
    const { lab } = await this.#asked<'lab', Usage>('lab', collected ? 'usage after collection' : 'usage');
    return lab;
  }

  /**
   * Counts the requests by server (engine or node:http) while `work` runs.
   *
   * @throws {Error} when the process has ended or does not answer
   */
  async servedDuring(work: () => Promise<unknown>): Promise<Served> {
    await this.#asked('labCounts', 'count requests');
    await work();
    const { labServed } = await this.#asked<'labServed', Served>('labServed', 'requests counted');
    return labServed;
  }

  /**
   * The CPU time of the process by script while `work` runs.
   *
   * @returns samples of 1 ms by the URL of the script that ran; node's own code, C++ and collections of garbage have an empty URL
   * @throws {Error} when the process has ended or does not answer
   */
  async profiledDuring(work: () => Promise<unknown>): Promise<Readonly<Record<string, number>>> {
    await this.#asked('labProfiles', 'profile');
    await work();
    const { labProfile } = await this.#asked<'labProfile', Readonly<Record<string, number>>>('labProfile', 'profiled');
    return labProfile;
  }

  /**
   * Like {@link profiledDuring}, as shares of the time in which the process is busy.
   *
   * @throws {Error} when the process has ended or does not answer
   */
  async sharesDuring(work: () => Promise<unknown>): Promise<Shares> {
    await this.#asked('labProfiles', 'profile');
    await work();
    const { labShares } = await this.#asked<'labShares', Shares>('labShares', 'profiled');
    return labShares;
  }

  /** Sends a request to the agent. @returns its message with the member `name` */
  async #asked<K extends string, V = unknown>(name: K, question: string): Promise<Record<K, V>> {
    if (!this.alive) throw new Error(this.obituary());
    // The exit of a process that does not answer is noticed at once. A timeout alone would not keep the lab alive to
    // report it.
    const gone = new AbortController();
    const leave = (): void => gone.abort();
    this.#child.once('exit', leave);
    const signal = AbortSignal.any([AbortSignal.timeout(patience), gone.signal]);
    // Before the request, because the answer may come at once.
    const messages = on(this.#child, 'message', { signal });
    this.#child.send(question);
    try {
      for await (const [message] of messages) {
        if (typeof message === 'object' && message !== null && name in message) return message as Record<K, V>;
      }
    } catch (error) {
      // The channel to a process that ends may fail before its end is known.
      const problem = (await this.ends(1000)) ? this.obituary() : 'the process hangs: no answer to the lab';
      throw new Error(problem, { cause: error });
    } finally {
      this.#child.off('exit', leave);
    }
    throw new Error(this.obituary());
  }

  /** Ends the process, with a short time to clean up. */
  async stop(): Promise<void> {
    if (this.alive) await this.#end();
    endGroup(this.#child);
  }

  async #end(): Promise<void> {
    const gone = once(this.#child, 'exit');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), 5000);
    this.#child.kill('SIGTERM');
    await gone;
    clearTimeout(timer);
  }
}

/** Puts `$PORT` and `${PORT}` into a word, as a shell does. */
const withVariables = (word: string, env: NodeJS.ProcessEnv): string =>
  word.replaceAll(/\$(?:(\w+)|\{(\w+)\})/g, (_all, name?: string, braced?: string) => env[name ?? braced ?? ''] ?? '');

/** The end of a process's output: enough for a stack trace, and bounded for a server that logs every request. */
interface Output {
  text: string;
}

function collect(child: ChildProcess): Output {
  const output = { text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => (output.text = (output.text + chunk).slice(-20_000)));
  }
  return output;
}

/** Ends leftover child processes of a process: they could lock resources of the next one. */
function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined || process.platform === 'win32') return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // There are none.
  }
}

/** Ports that no system gives to outgoing connections by default: a load that opens many connections would soon take any other. */
const LOWEST_PORT = 10_000;
const HIGHEST_PORT = 32_000;

async function freePort(): Promise<number> {
  for (let tries = 1; tries <= 20; tries++) {
    const port = randomInt(LOWEST_PORT, HIGHEST_PORT);
    if (await isFree(port)) return port;
  }
  throw new Error(`twenty ports between ${LOWEST_PORT} and ${HIGHEST_PORT} are taken`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = net.createServer();
    probe.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

interface Expectation {
  readonly source: PeerSource;
  readonly signal?: AbortSignal;
}

/** Resolves with the address that the process reports. */
function listening(child: ChildProcess, output: Output, { source, signal }: Expectation): Promise<Address> {
  const { file, announces } = source;
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', interrupted);
    };
    const fail = (why: string): void => {
      settle();
      reject(new Error(`${file} ${why}\n${output.text}`));
    };
    const done = (port: number, { secure = false, routes = [], doubt }: Partial<Address> = {}): void => {
      settle();
      resolve({ port, secure, routes, doubt });
    };
    const interrupted = (): void => fail('was interrupted');
    signal?.addEventListener('abort', interrupted);
    const timer = setTimeout(() => fail(`does not listen within ${patience / 1000} s`), patience);
    child.on('message', (message: (Partial<Address> & { readonly labPort?: number }) | null) => {
      if (typeof message?.labPort === 'number') done(message.labPort, message);
    });
    child.stdout?.on('data', () => {
      // An application may print such a line itself, with its own port.
      const port = announces ? undefined : /^listening (\d+)$/m.exec(output.text)?.[1];
      if (port !== undefined) done(Number(port));
    });
    child.once('error', (error) => fail(error.message));
    child.once('close', (code, killed) => fail(`ended (${killed ?? code}) before it listened`));
  });
}
