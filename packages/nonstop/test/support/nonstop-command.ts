import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { folder } from './folder.js';
import { inRepo } from './paths.js';
import { subject } from './subject.js';

export const bin = path.join(subject, 'bin.js');

/** Far more than any of these waits takes, in milliseconds: it ends a test that would wait for ever. */
const LONGEST_WAIT = 120_000;

/** A folder with programs that finds the packages of this repository. */
export function programs(files: Record<string, string>): string {
  const root = folder({ 'package.json': '{ "private": true }', ...files });
  // A junction on Windows, where links need a permission; elsewhere the type is ignored.
  fs.symlinkSync(inRepo('node_modules'), path.join(root, 'node_modules'), 'junction');
  return root;
}

/**
 * On Windows a signal from another process ends a process at once; only the console can send one that node emits. So there the tests send the
 * signal's name through the channel to this program, which emits it as node does.
 */
const HEARS = `data:text/javascript,
  if (!process.env.NODE_UNIQUE_ID && process.channel) {
    process.on('message', ({ signal }) => signal && process.emit(signal, signal, 0));
    process.channel.unref();
  }`;

const onWindows = process.platform === 'win32';

/** Why a test is skipped that sends a signal to a process other than the command. */
export const noSignals = onWindows && 'Windows ends a process that is sent a signal';

/** Why a test is skipped that replaces workers. */
export const noReplacing = onWindows && 'Windows sends SIGHUP for the end of a console alone';

/** The command `nonstop`, running in its own process. */
export class Command {
  readonly child: ChildProcess;
  /** Lines that it and its workers have written to stdout and stderr. */
  readonly lines: string[] = [];
  readonly ended: Promise<{ status: number | null; signal: string | null }>;
  private readonly waiting = new Set<() => void>();

  constructor(
    args: readonly string[],
    options: { cwd: string; env?: NodeJS.ProcessEnv; flags?: readonly string[]; bin?: string },
  ) {
    const { PORT: _port, HOST: _host, NODE_TEST_CONTEXT: _context, ...rest } = process.env;
    const env = { ...rest, ...options.env };
    const flags = [...(onWindows ? ['--import', HEARS] : []), ...(options.flags ?? [])];
    const stdio: StdioOptions = ['pipe', 'pipe', 'pipe', ...(onWindows ? (['ipc'] as const) : [])];
    this.child = spawn(process.execPath, [...flags, options.bin ?? bin, ...args], { cwd: options.cwd, env, stdio });
    if (onWindows) hearsSignals(this.child);
    for (const stream of [this.child.stdout!, this.child.stderr!]) this.read(stream);
    this.ended = once(this.child, 'close').then(([status, signal]) => {
      for (const look of this.waiting) look();
      return { status, signal };
    });
    after(() => this.child.kill('SIGKILL'));
  }

  private read(stream: NodeJS.ReadableStream): void {
    let rest = '';
    stream.setEncoding('utf8').on('data', (text: string) => {
      const parts = (rest + text).split('\n');
      rest = parts.pop()!;
      this.lines.push(...parts);
      for (const look of this.waiting) look();
    });
  }

  /** The first line from `from` on that `pattern` finds. @throws with all lines if none comes: a test that hangs says nothing */
  line(pattern: RegExp, from = 0): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const fail = (why: string): void => {
        this.waiting.delete(look);
        clearTimeout(limit);
        reject(new Error(`${why} without ${pattern}:\n${this.lines.join('\n')}`));
      };
      const limit = setTimeout(() => fail(`${LONGEST_WAIT / 1000} s passed`), LONGEST_WAIT);
      const look = (): void => {
        for (const line of this.lines.slice(from)) {
          const match = pattern.exec(line);
          if (match !== null) {
            this.waiting.delete(look);
            clearTimeout(limit);
            resolve(match);
            return;
          }
        }
        if (this.child.exitCode !== null || this.child.signalCode !== null) fail('the command ended');
      };
      this.waiting.add(look);
      look();
    });
  }

  /** Waits until it is ready. @returns the port of the application, and the health port */
  async ready(): Promise<{ port: number; health: number }> {
    const [, port, health] = await this.line(
      /ready on https?:\/\/\S+:(\d+)(?: \(all addresses\))?(?:, health on http:\/\/\S+:(\d+))?/,
    );
    return { port: Number(port), health: Number(health) };
  }

  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.child.kill(signal);
    return (await this.ended).status;
  }

  /** The same for a second signal. */
  async endAgain(): Promise<number | null> {
    await sleep(ECHO + 100);
    return this.end();
  }
}

/** A signal that comes again this soon counts as the same one (`production/signals`). In milliseconds. */
const ECHO = 500;

/** Makes `kill()` send signals to {@link HEARS}. */
function hearsSignals(child: ChildProcess): void {
  const { kill } = child;
  const send = (signal?: NodeJS.Signals | number): boolean =>
    signal === 'SIGKILL' || !child.connected ? kill.call(child, signal) : child.send({ signal: signal ?? 'SIGTERM' });
  child.kill = send;
}

/** A free port, below the system's ephemeral ports, for programs that take their port from PORT. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const server = net.createServer().listen(port, '127.0.0.1');
    const free = await new Promise((resolve) => {
      server.once('listening', () => resolve(true)).once('error', () => resolve(false));
    });
    if (free !== true) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

export interface Answered {
  readonly status: number;
  readonly body: string;
  readonly headers: http.IncomingHttpHeaders;
}

/** Sends one request to this machine. @param agent if undefined, the connection is new */
export function ask(port: number, options: http.RequestOptions & { body?: string } = {}): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const { body: sent, ...rest } = options;
    const request = http.request({ host: '127.0.0.1', port, agent: false, ...rest }, (answer) => {
      let body = '';
      answer.setEncoding('utf8').on('data', (part: string) => (body += part));
      answer.on('end', () => resolve({ status: answer.statusCode!, body, headers: answer.headers }));
      answer.on('error', reject);
    });
    request.on('error', reject);
    request.on('timeout', () => request.destroy());
    request.end(sent);
  });
}

/** Asks until the answer is as wanted, because another process may need time for it. @throws with the last answer if it never is */
export async function until<T>(look: () => Promise<T>, wanted: (value: T) => boolean): Promise<T> {
  const started = performance.now();
  for (;;) {
    const value = await look();
    if (wanted(value)) return value;
    if (performance.now() - started > LONGEST_WAIT) throw new Error(`not as wanted: ${JSON.stringify(value)}`);
    await sleep(20);
  }
}
