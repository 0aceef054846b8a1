import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { repoRoot } from '../support/paths.js';
import type { By } from '../support/served.js';

/** Facts about the process in which the example runs. */
export interface Surroundings {
  readonly port: number;
  /** The file to which `express` resolved. */
  readonly framework: string;
}

/** How the example is served: `flags` are node's, `env` is added to the environment. */
export interface Contestant {
  readonly name: string;
  readonly flags: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The door through which each request must go; a request through the other one ends the process. */
  readonly by: By;
}

const SECRET = 'a secret that signs the same in every run';

/** The example application in a child process. It can be restarted any number of times with the same data folder. */
export class TrackerProcess {
  surroundings: Surroundings = { port: 0, framework: '' };
  private readonly contestant: Contestant;
  private readonly dataDir: string;
  private child: ChildProcess | undefined;
  private runs = 0;
  private out = '';
  private err = '';
  private readonly watchers = new Set<() => void>();

  constructor(contestant: Contestant) {
    this.contestant = contestant;
    this.dataDir = mkdtempSync(path.join(tmpdir(), 'nonstop-tracker-'));
    writeFileSync(path.join(this.dataDir, 'cookie-secret'), SECRET);
  }

  /** @returns once it listens @throws if it exits instead */
  async start(): Promise<void> {
    this.runs += 1;
    const child = fork(
      path.join(__dirname, 'tracker-child.js'),
      [this.dataDir, String(this.runs), this.contestant.by],
      {
        cwd: repoRoot,
        execArgv: [...this.contestant.flags],
        env: { ...process.env, NODE_ENV: 'production', ...this.contestant.env },
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      },
    );
    this.child = child;
    child.stdout?.setEncoding('utf8').on('data', (text: string) => this.took('out', text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => this.took('err', text));
    const ready = await Promise.race([once(child, 'message'), once(child, 'exit')]);
    const message: unknown = ready[0];
    if (!isReady(message)) throw new Error(`the example did not start on ${this.contestant.name}:\n${this.err}`);
    this.surroundings = message;
  }

  /** Asks it to stop, as an operator would. @returns its exit code */
  async stop(): Promise<number | null> {
    const child = this.child;
    if (child === undefined) return null;
    this.child = undefined;
    const closed = once(child, 'close');
    child.kill('SIGTERM');
    const [code] = (await closed) as [number | null];
    return code;
  }

  /** @returns once the access log has a line that begins with this text */
  async untilLogged(start: string): Promise<void> {
    const there = (): boolean => this.out.split('\n').some((line) => line.startsWith(start));
    if (there()) return;
    await new Promise<void>((resolve) => {
      const watcher = (): void => {
        if (!there()) return;
        this.watchers.delete(watcher);
        resolve();
      };
      this.watchers.add(watcher);
    });
  }

  /** The access log, sorted: with two open connections the order of the lines is random. */
  get accessLog(): string[] {
    return this.out.split('\n').filter(Boolean).toSorted();
  }

  /** The output on stderr, without lines that name positions, which differ between the frameworks. */
  get errorLog(): string[] {
    return this.err.split('\n').filter((line) => line !== '' && !/^\s+at |^Node\.js v|^\s*[{}]/.test(line));
  }

  /** The attachments on disk with their sizes, so that remains of an aborted upload show. */
  get stored(): string[] {
    return this.storedNames.map((name) => `${name} ${statSync(path.join(this.attachments, name)).size}`);
  }

  /** @returns once there are that many attachments on disk, complete or not */
  async untilStored(count: number): Promise<void> {
    const watcher = watch(this.attachments);
    try {
      while (this.storedNames.length !== count) await once(watcher, 'change');
    } finally {
      watcher.close();
    }
  }

  async dispose(): Promise<void> {
    this.child?.kill('SIGKILL');
    if (this.child !== undefined && this.child.exitCode === null) await once(this.child, 'exit');
    rmSync(this.dataDir, { recursive: true });
  }

  private get attachments(): string {
    return path.join(this.dataDir, 'attachments');
  }

  private get storedNames(): string[] {
    return readdirSync(this.attachments).toSorted();
  }

  private took(which: 'out' | 'err', text: string): void {
    this[which] += text;
    for (const watcher of this.watchers) watcher();
  }
}

function isReady(message: unknown): message is Surroundings {
  return typeof message === 'object' && message !== null && 'port' in message && 'framework' in message;
}
