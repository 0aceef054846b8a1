import { spawn, type ChildProcess } from 'node:child_process';
import { on, once } from 'node:events';
import path = require('node:path');
import type { Usage } from './agent.js';
import { pinned } from './cores.js';
import { benchRoot } from './paths.js';
import type { PeerSource } from './scenario.js';

/** How long a server may take to listen, to answer for its usage and to stop, in milliseconds. */
const patience = 20_000;

export interface PeerOptions {
  /** Path of the Node binary. */
  readonly node: string;
  readonly scenario: string;
  readonly core?: number;
}

/** The server of one contestant: a process of its own. */
export class Peer {
  readonly port: number;
  readonly #child: ChildProcess;
  readonly #output: Output;

  private constructor(child: ChildProcess, port: number, output: Output) {
    this.#child = child;
    this.port = port;
    this.#output = output;
  }

  /**
   * Starts a server and waits until it listens.
   *
   * @throws {Error} with what it printed, when it ends or stays silent instead
   */
  static async start(source: PeerSource, { node, scenario, core }: PeerOptions): Promise<Peer> {
    const file = path.resolve(benchRoot, 'peers', source.file);
    const args = ['--require', path.join(__dirname, 'agent.js'), ...(source.nodeOptions ?? []), file];
    const child = spawn(...pinned(core, node, args), {
      cwd: source.cwd ?? benchRoot,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: { ...process.env, NODE_ENV: 'production', PORT: '0', SCENARIO: scenario, ...source.env },
      // Ctrl-C goes to a whole process group: the lab takes the last samples first and then stops its children itself.
      detached: true,
    });
    const output = collect(child);
    try {
      return new Peer(child, await listening(child, output, source), output);
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    }
  }

  get alive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Why the process is no longer there, with what it printed. */
  obituary(): string {
    return `ended (${this.#child.signalCode ?? this.#child.exitCode})\n${this.#output.text}`;
  }

  /**
   * What the process has used so far.
   *
   * @param settled after a collection of garbage, in a process that was started with `--expose-gc`
   * @throws {Error} when it has ended or does not answer
   */
  async usage(settled = false): Promise<Usage> {
    if (!this.alive) throw new Error(this.obituary());
    const signal = AbortSignal.timeout(patience);
    this.#child.send(settled ? 'settled usage' : 'usage');
    try {
      for await (const [message] of on(this.#child, 'message', { signal })) {
        if (isReport(message)) return message.lab;
      }
    } catch (error) {
      const problem = this.alive ? 'stalls: no answer to the question for its CPU time' : this.obituary();
      throw new Error(problem, { cause: error });
    }
    throw new Error(this.obituary());
  }

  /** Ends the process: it may clean up, but not take long over it. */
  async stop(): Promise<void> {
    if (!this.alive) return;
    const gone = once(this.#child, 'exit');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), 2000);
    this.#child.kill('SIGTERM');
    await gone;
    clearTimeout(timer);
  }
}

const isReport = (message: unknown): message is { readonly lab: Usage } =>
  typeof message === 'object' && message !== null && 'lab' in message;

/** The end of what a process has printed: enough for a stack trace, bounded for a server that logs every request. */
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

/** Resolves with the port that the process says it listens on. */
function listening(child: ChildProcess, output: Output, { file, announces }: PeerSource): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => reject(new Error(`${file} ${why}\n${output.text}`));
    const timer = setTimeout(() => fail('does not listen'), patience);
    const done = (port: number): void => {
      clearTimeout(timer);
      resolve(port);
    };
    child.on('message', (message: { readonly labPort?: number } | null) => {
      if (typeof message?.labPort === 'number') done(message.labPort);
    });
    child.stdout?.on('data', () => {
      // An application may print such a line itself, with the port that it believes in.
      const port = announces ? undefined : /^listening (\d+)$/m.exec(output.text)?.[1];
      if (port !== undefined) done(Number(port));
    });
    child.once('error', (error) => fail(error.message));
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      fail(`ended (${signal ?? code}) before it listened`);
    });
  });
}
