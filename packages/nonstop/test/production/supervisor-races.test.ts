import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test as testOf } from 'node:test';
import { Command, ask, noSignals, programs, until } from '../support/nonstop-command.js';

/** Nearly all of these tests send signals to workers. */
const test = (name: string, play: () => Promise<void>): void => void testOf(name, { skip: noSignals }, play);

/*
 * What happens to workers while others of them are replaced. A worker is ready when there is the file go.txt, and ends when there is no file
 * stay-PID.txt, so that each of these tests holds workers back for as long as it likes.
 */

const APP = `
  const fs = require('fs');
  const { Summary } = require('prom-client');
  const sizes = new Summary({ name: 'sizes', help: 'Of the application.', percentiles: [0.5] });
  const production = require('nonstop/production');
  const version = fs.readFileSync(__dirname + '/version.txt', 'utf8');
  if (version === 'broken') throw new Error('a broken version');
  production.addCheck('go', () => fs.existsSync(__dirname + '/go.txt'));
  production.onShutdown('stay', async () => {
    while (fs.existsSync(__dirname + '/stay-' + process.pid + '.txt')) await new Promise((resolve) => setTimeout(resolve, 10));
  });
  const app = require('express')();
  app.get('/', (req, res) => { sizes.observe(3); res.json({ version, pid: process.pid }); });
  app.get('/held', (req, res) => {
    process.once('SIGUSR2', () => res.json({ version, pid: process.pid }));
    console.log('holds', process.pid);
  });
  production.onDrain(() => {
    console.log('drains', process.pid);
    const end = Date.now() + (process.argv[2] === 'blocks' ? 1000 : 0);
    while (Date.now() < end);
  });
  const server = app.listen(0, '127.0.0.1');
  server.keepAliveTimeout = 100;
  server.on('listening', () => console.log('starts', process.pid, version, require('cluster').worker.id));`;

class Running {
  readonly cwd = programs({ 'version.txt': 'one', 'go.txt': '', 'app.cjs': APP });
  readonly command: Command;
  port = 0;
  health = 0;

  constructor(workers = 2, options: readonly string[] = [], ...args: string[]) {
    const health = ['--metrics', '--health-port', '0', '--health-host', '127.0.0.1', '--drain-delay', '0'];
    this.command = new Command(['--workers', String(workers), ...health, ...options, 'app.cjs', ...args], {
      cwd: this.cwd,
    });
  }

  async ready(): Promise<this> {
    Object.assign(this, await this.command.ready());
    return this;
  }

  /** From now on new workers wait for `go()`. */
  hold(version: string): void {
    fs.rmSync(path.join(this.cwd, 'go.txt'));
    this.version(version);
  }

  version(version: string): void {
    fs.writeFileSync(path.join(this.cwd, 'version.txt'), version);
  }

  go(): void {
    fs.writeFileSync(path.join(this.cwd, 'go.txt'), '');
  }

  /** This worker drains, and does not end before `leave()`. */
  stay(pid: number): void {
    fs.writeFileSync(path.join(this.cwd, `stay-${pid}.txt`), '');
  }

  leave(pid: number): void {
    fs.rmSync(path.join(this.cwd, `stay-${pid}.txt`));
  }

  /** The workers that listened so far, in the order in which they were started. */
  get pids(): number[] {
    const started = this.command.lines.flatMap((line) => {
      const [, pid, id] = /^starts (\d+) \S* (\d+)$/.exec(line) ?? [];
      return pid === undefined ? [] : [{ pid: Number(pid), id: Number(id) }];
    });
    return started.toSorted((a, b) => a.id - b.id).map(({ pid }) => pid);
  }

  /** The worker that has loaded a version, as soon as it listens. */
  async starts(version: string): Promise<number> {
    return Number((await this.command.line(new RegExp(`^starts (\\d+) ${version} `)))[1]);
  }

  /** Resolves when the metrics have all of these lines. */
  async metrics(...lines: string[]): Promise<void> {
    const look = async (): Promise<string> => (await ask(this.health, { path: '/metrics' })).body;
    await until(look, (text) => lines.every((line) => text.includes(`${line}\n`)));
  }

  /** Resolves when there are so many workers of each of these states. */
  async workers(states: Readonly<Record<string, number>>): Promise<void> {
    await this.metrics(...Object.entries(states).map(([state, count]) => `nonstop_workers{state="${state}"} ${count}`));
  }

  /** Statuses of requests to `count` workers at the same time, which wait until `release()`: the supervisor gives each worker one. */
  held(count: number): Promise<number[]> {
    const asked = Array.from({ length: count }, () => ask(this.port, { path: '/held' }));
    const statuses = Promise.all(asked).then((answers) => answers.map(({ status }) => status));
    // It is awaited later.
    statuses.catch(() => undefined);
    return statuses;
  }

  release(pids: readonly number[]): void {
    for (const pid of pids) process.kill(pid, 'SIGUSR2');
  }

  /** The versions in that many answers, each on a new connection: the supervisor distributes connections to the workers in turn. */
  async versions(): Promise<string[]> {
    const answers = [];
    for (let i = 0; i < 4; i++) answers.push(await ask(this.port));
    return answers.map(({ body }) => JSON.parse(body).version as string);
  }
}

/** Whether there is such a process. */
function alive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const start = async (): Promise<Running> => new Running().ready();

test('a worker that dies while its successor starts is not replaced again', async () => {
  const running = await start();
  running.hold('two');
  running.command.child.kill('SIGHUP');
  await running.starts('two');
  // The first worker in the list is the first to be replaced.
  for (const pid of running.pids.slice(0, 2)) process.kill(pid, 'SIGKILL');
  await running.command.line(/worker \d+ died/);
  // One starts in place of the worker whose replacement was due later, none in place of the other.
  await running.workers({ ready: 0, starting: 2 });
  running.go();
  await running.workers({ ready: 2, starting: 0, draining: 0 });
  assert.deepEqual(new Set(await running.versions()), new Set(['two']));
  assert.equal(await running.command.end(), 0);
  assert.equal(running.pids.length, 4, running.command.lines.join('\n'));
});

test('a worker that dies before its turn does not end the replacement of the others', async () => {
  const running = await new Running(3).ready();
  running.hold('two');
  running.command.child.kill('SIGHUP');
  await running.starts('two');
  // They are replaced in the order in which they were started.
  const [, next] = running.pids;
  process.kill(next, 'SIGKILL');
  await running.command.line(new RegExp(`worker ${next} died`));
  running.go();
  await running.command.line(/^nonstop: 2 workers replaced$/);
  await running.workers({ ready: 3, starting: 0, draining: 0 });
  assert.deepEqual(new Set(await running.versions()), new Set(['two']));
  assert.equal(await running.command.end(), 0);
});

test('a worker that is sent SIGTERM while it is replaced is replaced once', async () => {
  const running = await start();
  running.hold('two');
  running.command.child.kill('SIGHUP');
  await running.starts('two');
  for (const pid of running.pids.slice(0, 2)) process.kill(pid, 'SIGTERM');
  // The worker that waits for its turn gets a successor at once.
  await running.workers({ ready: 2, starting: 2 });
  running.go();
  await running.command.line(/^nonstop: 2 workers replaced$/);
  await running.workers({ ready: 2, starting: 0, draining: 0 });
  assert.equal(await running.command.end(), 0);
  assert.equal(running.pids.length, 4, running.command.lines.join('\n'));
});

test('a worker that has left before its turn comes counts as replaced', async () => {
  const running = await start();
  const [first, second] = running.pids;
  running.stay(first);
  running.version('two');
  running.command.child.kill('SIGHUP');
  await running.workers({ ready: 2, draining: 1 });
  process.kill(second, 'SIGTERM');
  await until(
    async () => alive(second),
    (is) => !is,
  );
  running.leave(first);
  await running.command.line(/^nonstop: 2 workers replaced$/);
  await running.workers({ ready: 2, starting: 0, draining: 0 });
  assert.equal(running.pids.length, 4, running.command.lines.join('\n'));
  assert.equal(await running.command.end(), 0);
});

test('a worker that starts while all are replaced is replaced, too', async () => {
  const running = await start();
  running.hold('old');
  process.kill(running.pids[0], 'SIGTERM');
  await running.starts('old');
  running.version('new');
  running.command.child.kill('SIGHUP');
  await running.command.line(/SIGHUP: replacing/);
  running.go();
  await running.command.line(/^nonstop: \d workers? replaced$/);
  await running.workers({ ready: 2, starting: 0, draining: 0 });
  assert.deepEqual(new Set(await running.versions()), new Set(['new']));
  assert.equal(await running.command.end(), 0);
});

test('a worker that stays because no other became ready can be sent SIGTERM again', async () => {
  const running = await start();
  const [pid] = running.pids;
  running.version('broken');
  process.kill(pid, 'SIGTERM');
  await running.command.line(new RegExp(`the new worker is not ready .*: worker ${pid} stays`));
  running.version('two');
  process.kill(pid, 'SIGTERM');
  await until(running.versions.bind(running), (versions) => versions.includes('two'));
  assert.equal(await running.command.end(), 0);
});

test('a worker that is sent SIGTERM while it starts is replaced when it is ready', async () => {
  const running = await start();
  running.hold('two');
  process.kill(running.pids[0], 'SIGKILL');
  process.kill(await running.starts('two'), 'SIGTERM');
  // With its second answer at the latest it has told of the signal.
  for (const _ of [1, 2]) await running.workers({ ready: 1, starting: 1 });
  running.version('three');
  running.go();
  await running.starts('three');
  await running.workers({ ready: 2, starting: 0, draining: 0 });
  assert.deepEqual(new Set(await running.versions()), new Set(['one', 'three']));
  assert.equal(await running.command.end(), 0);
});

test('SIGTERM to the supervisor while its workers start drains, and tells of no ready worker', async () => {
  const running = new Running();
  running.hold('one');
  await until(
    async () => running.pids.length,
    (count) => count === 2,
  );
  assert.equal(await running.command.end(), 0);
  assert.deepEqual(
    running.command.lines.filter((line) => line.startsWith('nonstop: ')),
    ['nonstop: SIGTERM: draining', 'nonstop: drained, nothing was cut'],
  );
});

test('a worker that does not listen yet runs its hooks before it ends with its supervisor', async () => {
  const cwd = programs({
    'loads.cjs': `
      require('nonstop/production').onShutdown('database', () => console.log('closes'));
      console.log('loads');
      module.exports = new Promise((resolve) => setTimeout(resolve, 60_000));`,
  });
  const command = new Command(['--workers', '1', '--port', '0', '--ready-timeout', '2m', 'loads.cjs'], { cwd });
  await command.line(/^loads$/);
  assert.equal(await command.end(), 0);
  assert.deepEqual(command.lines.toSorted(), [
    'closes',
    'loads',
    'nonstop: SIGTERM: draining',
    'nonstop: drained, nothing was cut',
  ]);
});

test('what a replaced worker cuts off while its supervisor ends is reported once', async () => {
  const running = await new Running(1, ['--grace', '3s']).ready();
  const [old] = running.pids;
  const held = running.held(1).catch(() => undefined);
  await running.command.line(new RegExp(`^holds ${old}$`));
  running.version('two');
  running.command.child.kill('SIGHUP');
  await running.command.line(new RegExp(`^drains ${old}$`));
  assert.equal(await running.command.end(), 5);
  await held;
  const cut = running.command.lines.filter((line) => line.startsWith('nonstop: cut: '));
  assert.equal(cut.length, 1, running.command.lines.join('\n'));
});

test('a worker that listens and is not ready answers its requests before it ends with its supervisor', async () => {
  const running = await start();
  running.hold('two');
  running.command.child.kill('SIGHUP');
  await running.starts('two');
  const held = running.held(3);
  for (const pid of running.pids) await running.command.line(new RegExp(`^holds ${pid}$`));
  running.command.child.kill('SIGTERM');
  for (const pid of running.pids) await running.command.line(new RegExp(`^drains ${pid}$`));
  running.release(running.pids);
  assert.deepEqual(await held, [200, 200, 200]);
  assert.deepEqual(await running.command.ended, { status: 0, signal: null });
});

test('a new worker that does not become ready answers its requests before it ends', async () => {
  const running = await new Running(1, ['--ready-timeout', '6s']).ready();
  running.hold('two');
  running.command.child.kill('SIGHUP');
  const next = await running.starts('two');
  const held = running.held(2);
  await running.command.line(new RegExp(`^holds ${next}$`));
  await running.command.line(new RegExp(`^drains ${next}$`));
  running.release(running.pids);
  assert.deepEqual(await held, [200, 200]);
  await running.command.line(/the new worker is not ready .* check go: failed\): worker \d+ stays$/);
  assert.equal(await running.command.end(), 0);
});

test('a connection that reaches a worker when it begins to drain is given to another', async () => {
  const running = await new Running(2, [], 'blocks').ready();
  const [pid] = running.pids;
  process.kill(pid, 'SIGTERM');
  // Its event loop is blocked for a second from here on, and it would end after that.
  await running.command.line(new RegExp(`^drains ${pid}$`));
  const answers = await Promise.all([1, 2, 3, 4].map(() => ask(running.port, { timeout: 30_000 })));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200],
  );
  assert.ok(answers.every(({ body }) => JSON.parse(body).pid !== pid));
  assert.equal(await running.command.end(), 0);
});

test('a connection that a worker has not taken when it is killed is given to another', async () => {
  const running = await start();
  const [pid, other] = running.pids;
  process.kill(pid, 'SIGSTOP');
  const asked = [1, 2].map(() => ask(running.port, { timeout: 30_000 }));
  assert.equal(JSON.parse((await Promise.race(asked)).body).pid, other);
  process.kill(pid, 'SIGKILL');
  const answers = await Promise.all(asked);
  assert.ok(answers.every(({ body }) => JSON.parse(body).pid !== pid));
  await running.metrics('nonstop_worker_restarts_total{reason="died"} 1');
  await running.workers({ ready: 2 });
  assert.equal(await running.command.end(), 0);
});

test('health is answered at once while one of the workers does not answer', async () => {
  const running = await start();
  const [pid] = running.pids;
  process.kill(pid, 'SIGSTOP');
  // A worker is waited for for 2 s. On a busy machine a single answer may take as long.
  for (const path of ['/readyz', '/livez']) {
    const times: number[] = [];
    for (let i = 0; i < 5; i++) {
      const begin = performance.now();
      assert.equal((await ask(running.health, { path })).status, 200);
      times.push(performance.now() - begin);
    }
    assert.ok(Math.min(...times) < 1500, `${path}: ${times.join(', ')}`);
  }
  process.kill(pid, 'SIGCONT');
  assert.equal(await running.command.end(), 0);
});

test('a supervisor whose stderr is closed replaces its workers', async () => {
  const running = await start();
  const [pid] = running.pids;
  running.command.child.stderr!.destroy();
  process.kill(pid, 'SIGKILL');
  await running.metrics('nonstop_worker_restarts_total{reason="died"} 1', 'nonstop_workers{state="ready"} 2');
  assert.deepEqual(new Set(await running.versions()), new Set(['one']));
  assert.equal(await running.command.end(), 0);
});

test('SIGHUP loads the file that a link points to at that time', async () => {
  const cwd = programs({
    'one/app.cjs': `module.exports = (req, res) => res.end('one');`,
    'two/app.cjs': `module.exports = (req, res) => res.end('two');`,
  });
  const link = path.join(cwd, 'current');
  fs.symlinkSync('one', link);
  const command = new Command(['--port', '0', '--host', '127.0.0.1', '--workers', '1', 'current/app.cjs'], { cwd });
  const { port } = await command.ready();
  assert.equal((await ask(port)).body, 'one');
  fs.rmSync(link);
  fs.symlinkSync('two', link);
  command.child.kill('SIGHUP');
  await command.line(/^nonstop: 1 worker replaced$/);
  assert.equal((await ask(port)).body, 'two');
  assert.equal(await command.end(), 0);
});

test('requests stay in the counts when their worker is gone', async () => {
  const running = await start();
  const scraped = async (pattern: RegExp): Promise<number> => {
    const { body } = await ask(running.health, { path: '/metrics' });
    return Number(pattern.exec(body)?.[1]);
  };
  const counted = (): Promise<number> => scraped(/_count\{[^}]*route="\/"[^}]*\} (\d+)/);
  for (let i = 0; i < 6; i++) await ask(running.port);
  await until(counted, (count) => count === 6);
  process.kill(running.pids[0], 'SIGKILL');
  await running.command.line(/died/);
  assert.equal(await counted(), 6);
  await running.workers({ ready: 2 });
  await ask(running.port);
  running.command.child.kill('SIGHUP');
  await running.command.line(/^nonstop: 2 workers replaced$/);
  assert.equal(await counted(), 7);
  // Also by a Summary of the application. Its quantiles are those of the present workers, which observed nothing.
  assert.equal(await scraped(/^sizes_count (\d+)$/m), 7);
  assert.equal(await scraped(/^sizes_sum (\d+)$/m), 21);
  assert.equal(await scraped(/^sizes\{quantile="0\.5"\} (\d+)$/m), 0);
  assert.equal(await running.command.end(), 0);
});
