import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inRepo } from '../../support/paths.js';
import { subject } from '../../support/subject.js';

/** Why the fleet cannot run on this machine; false if it can. */
export function missingTools(): string | false {
  const has = (name: string): boolean => spawnSync('which', [name]).status === 0;
  const missing = ['haproxy', 'redis-server'].filter((name) => !has(name));
  return missing.length === 0 ? false : `${missing.join(' and ')} not installed (apt-get install haproxy redis-server)`;
}

/** A free port below those that the system gives to connections, and not one of `taken`, which are reserved, but not in use yet. */
async function freePort(taken: readonly number[] = []): Promise<number> {
  for (;;) {
    // A health port is 1 followed by the port's four digits, as in the unit of deploy/systemd.
    const port = 2000 + Math.floor(Math.random() * 7000);
    if (!taken.includes(port) && (await isFree(port)) && (await isFree(port + 10_000))) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = net.createServer();
  const free = await new Promise<boolean>((resolve) => {
    server
      .once('error', () => resolve(false))
      .once('listening', () => resolve(true))
      .listen(port, '127.0.0.1');
  });
  if (free) await new Promise((resolve) => server.close(resolve));
  return free;
}

/** A process and its output. */
interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  said: string;
}

export interface FleetOptions {
  readonly processes: number;
  readonly workers: number;
  /** Further options of the command. */
  readonly options: readonly string[];
  readonly log?: (line: string) => void;
}

/**
 * The example application as several processes with several workers, behind HAProxy with the configuration of deploy/, with sessions in
 * Valkey or Redis. Everything runs on this machine, in one temporary folder.
 */
export class Fleet {
  /** The port of HAProxy. */
  port = 0;
  private readonly folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'nonstop-fleet-'));
  private readonly ports: number[] = [];
  private readonly processes: Running[] = [];
  private valkey: Running | undefined;
  private haproxy: Running | undefined;
  private valkeyPort = 0;
  private readonly options: FleetOptions;

  constructor(options: FleetOptions) {
    this.options = options;
  }

  async start(): Promise<void> {
    this.valkeyPort = await freePort();
    await this.startValkey();
    for (let i = 0; i < this.options.processes; i++) this.ports.push(await freePort(this.ports));
    await Promise.all(this.ports.map((_, i) => this.startProcess(i)));
    this.port = await freePort();
    await this.startHaproxy();
  }

  /** @returns the port of one of the processes */
  portOf(index: number): number {
    return this.ports[index];
  }

  async stop(): Promise<void> {
    const all = [...this.processes, this.haproxy, this.valkey].filter((each) => each !== undefined);
    for (const { child } of all) child.kill('SIGTERM');
    const late = setTimeout(() => all.forEach(({ child }) => child.kill('SIGKILL')), 20_000);
    await Promise.all(all.map(({ ended }) => ended));
    clearTimeout(late);
    fs.rmSync(this.folder, { recursive: true, force: true });
  }

  private run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Running {
    const { PORT: _port, HOST: _host, NODE_TEST_CONTEXT: _context, ...rest } = process.env;
    const child = spawn(command, args, { cwd: this.folder, env: { ...rest, ...env } });
    const running: Running = {
      child,
      said: '',
      ended: once(child, 'close').then(([status]) => status as number | null),
    };
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        running.said += text;
      });
    }
    return running;
  }

  // --- Valkey --------------------------------------------------------------------------------------------------

  async startValkey(): Promise<void> {
    const port = String(this.valkeyPort);
    this.valkey = this.run('redis-server', [
      '--port',
      port,
      '--bind',
      '127.0.0.1',
      '--dir',
      this.folder,
      '--appendonly',
      'yes',
    ]);
    const { valkey } = this;
    await until(async () => hasEnded(valkey) || (await connects(this.valkeyPort)));
    if (hasEnded(valkey)) throw new Error(`Valkey did not start: ${valkey.said}`);
  }

  /** Waits until every worker has used Valkey. */
  async valkeyIsKnown(): Promise<void> {
    await Promise.all(this.ports.map((port, i) => this.valkeyIsKnownBy(i, port)));
  }

  /** Its supervisor gives new connections to its workers in turn. */
  private async valkeyIsKnownBy(index: number, port: number): Promise<void> {
    const know = new Set<number>();
    await until(async () => {
      const { status, body } = await ask(port, `/orders/known-${index}-${performance.now()}`, 'POST');
      if (status === 200) know.add((JSON.parse(body) as { pid: number }).pid);
      return know.size === this.options.workers;
    });
  }

  async stopValkey(): Promise<void> {
    this.valkey!.child.kill('SIGTERM');
    await this.valkey!.ended;
  }

  // --- the application -----------------------------------------------------------------------------------------

  async startProcess(index: number): Promise<void> {
    const port = this.ports[index];
    const { workers, options } = this.options;
    const args = [path.join(subject, 'bin.js'), '--host', '127.0.0.1', '--port', String(port)];
    args.push('--workers', String(workers), '--health-port', String(port + 10_000));
    args.push('--keep-alive', '65s', '--drain-delay', '1500ms', ...options, inRepo('examples/production/app.js'));
    const env = {
      VALKEY_URL: `redis://127.0.0.1:${this.valkeyPort}`,
      NODE_ENV: 'production',
      SESSION_SECRET: 'of the test',
      NONSTOP_REGISTER: 'quiet',
    };
    const running = this.run(process.execPath, args, env);
    this.processes[index] = running;
    await until(() => /workers? ready/.test(running.said) || hasEnded(running));
    if (hasEnded(running)) throw new Error(`process ${index} did not start: ${running.said}`);
  }

  /** SIGHUP: each of its workers is replaced. @returns the number of workers */
  async replaceWorkers(index: number): Promise<number> {
    const running = this.processes[index];
    const from = running.said.length;
    running.child.kill('SIGHUP');
    await until(() => /\d+ workers? replaced/.test(running.said.slice(from)) || hasEnded(running));
    if (hasEnded(running)) throw new Error(`process ${index} ended: ${running.said}`);
    return Number(/(\d+) workers? replaced/.exec(running.said.slice(from))![1]);
  }

  /** SIGTERM, then starts the same process again. @returns the exit status */
  async restart(index: number): Promise<number | null> {
    const running = this.processes[index];
    running.child.kill('SIGTERM');
    const status = await running.ended;
    await this.startProcess(index);
    await this.inRotation();
    return status;
  }

  /** Kills one worker of a process, and waits until another one is ready. */
  async killWorker(index: number): Promise<void> {
    const running = this.processes[index];
    const [worker] = childrenOf(running.child.pid!);
    process.kill(worker, 'SIGKILL');
    await until(() => running.said.includes(`worker ${worker} died`));
    const ready = `nonstop_workers{state="ready"} ${this.options.workers}\n`;
    await until(async () => (await ask(this.ports[index] + 10_000, '/metrics')).body.includes(ready));
  }

  /** Kills a process with all its workers, and starts it again. */
  async killProcess(index: number): Promise<void> {
    const running = this.processes[index];
    const workers = childrenOf(running.child.pid!);
    running.child.kill('SIGKILL');
    for (const worker of workers) process.kill(worker, 'SIGKILL');
    await running.ended;
    await sleep(1000);
    await this.startProcess(index);
    await this.inRotation();
  }

  // --- HAProxy -------------------------------------------------------------------------------------------------

  private async startHaproxy(): Promise<void> {
    const source = fs.readFileSync(inRepo('deploy/haproxy/haproxy.cfg'), 'utf8');
    const servers = this.ports.map((port, i) => `    server app${i + 1} 127.0.0.1:${port} check port ${port + 10_000}`);
    // The servers are replaced by ours; the rest is the published configuration.
    const config = source.replace(/^ {4}server [^]*$/m, `${servers.join('\n')}\n`);
    fs.writeFileSync(path.join(this.folder, 'haproxy.cfg'), config);
    const env = { HAPROXY_BIND: `127.0.0.1:${this.port}`, HAPROXY_SOCKET: path.join(this.folder, 'haproxy.sock') };
    this.haproxy = this.run('haproxy', ['-W', '-f', path.join(this.folder, 'haproxy.cfg')], env);
    const { haproxy } = this;
    await until(async () => hasEnded(haproxy) || (await connects(this.port)));
    if (hasEnded(haproxy)) throw new Error(`HAProxy did not start: ${haproxy.said}`);
    await this.inRotation();
  }

  /**
   * Reloads HAProxy: the master starts a new process, which asks the old one for the listening sockets.
   *
   * @returns whether it got them within one second. If the machine is too busy, the new process listens again, and the old one resets
   * connections that it has not accepted yet.
   */
  async reloadHaproxy(): Promise<boolean> {
    const from = this.haproxy!.said.length;
    const before = childrenOf(this.haproxy!.child.pid!);
    this.haproxy!.child.kill('SIGUSR2');
    await until(() => childrenOf(this.haproxy!.child.pid!).some((pid) => !before.includes(pid)));
    await this.inRotation();
    return !this.haproxy!.said.slice(from).includes('Failed to get the sockets');
  }

  /** Waits until HAProxy considers all servers up. */
  private async inRotation(): Promise<void> {
    await until(async () => {
      const text = await this.askHaproxy('show stat').catch(() => '');
      const rows = text.split('\n').filter((line) => line.startsWith('app,app'));
      return rows.length === this.ports.length && rows.every((row) => row.includes(',UP,'));
    });
  }

  private async askHaproxy(command: string): Promise<string> {
    const socket = net.connect(path.join(this.folder, 'haproxy.sock'));
    socket.end(`${command}\n`);
    let text = '';
    for await (const part of socket) text += String(part);
    return text;
  }
}

function childrenOf(pid: number): number[] {
  const text = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.split(' ').filter(Boolean).map(Number);
}

async function until(look: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await look())) await sleep(50);
}

function connects(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}

function hasEnded({ child: { exitCode, signalCode } }: Running): boolean {
  return exitCode !== null || signalCode !== null;
}

/** A request on a connection of its own. */
function ask(port: number, target: string, method = 'GET'): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    http
      .request({ host: '127.0.0.1', port, path: target, method, agent: false }, (answer) => {
        let body = '';
        answer.setEncoding('utf8').on('data', (part: string) => (body += part));
        answer.on('end', () => resolve({ status: answer.statusCode!, body })).on('error', reject);
      })
      .on('error', reject)
      .end();
  });
}
