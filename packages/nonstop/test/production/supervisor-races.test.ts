import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { Command, ask, programs, until } from '../support/nonstop-command.js';

/*
 * What happens to workers while others of them are replaced. A worker is ready when there is the file go.txt, and ends when there is no file
 * stay-PID.txt, so that each of these tests holds workers back for as long as it likes.
 */

const APP = `
  const fs = require('fs');
  const production = require('nonstop/production');
  const version = fs.readFileSync(__dirname + '/version.txt', 'utf8');
  if (version === 'broken') throw new Error('a broken version');
  production.addCheck('go', () => fs.existsSync(__dirname + '/go.txt'));
  production.onShutdown('stay', async () => {
    while (fs.existsSync(__dirname + '/stay-' + process.pid + '.txt')) await new Promise((resolve) => setTimeout(resolve, 10));
  });
  const app = require('express')();
  app.get('/', (req, res) => res.json({ version, pid: process.pid }));
  const server = app.listen(0, '127.0.0.1');
  server.keepAliveTimeout = 100;
  server.on('listening', () => console.log('starts', process.pid, version));`;

class Running {
  readonly cwd = programs({ 'version.txt': 'one', 'go.txt': '', 'app.cjs': APP });
  readonly command: Command;
  port = 0;
  health = 0;

  constructor(workers = 2) {
    const health = ['--metrics', '--health-port', '0', '--health-host', '127.0.0.1', '--drain-delay', '0'];
    this.command = new Command(['--workers', String(workers), ...health, 'app.cjs'], { cwd: this.cwd });
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

  get pids(): number[] {
    return this.command.lines.flatMap((line) => /^starts (\d+)/.exec(line)?.[1] ?? []).map(Number);
  }

  /** Workers by state, once they have reached it. */
  async workers(states: Readonly<Record<string, number>>): Promise<void> {
    const look = async (): Promise<string> => (await ask(this.health, { path: '/metrics' })).body;
    await until(look, (text) =>
      Object.entries(states).every(([state, count]) => text.includes(`nonstop_workers{state="${state}"} ${count}\n`)),
    );
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
  await running.command.line(/^starts \d+ two/);
  // The first worker in the list is the first to be replaced.
  for (const pid of running.pids.slice(0, 2)) process.kill(pid, 'SIGKILL');
  await running.command.line(/worker \d+ died/);
  // One starts in place of the worker whose replacement was due later, none in place of the other.
  await running.workers({ ready: 0, starting: 2 });
  running.go();
  await running.workers({ ready: 2, starting: 0, draining: 0 });
  assert.deepEqual(new Set(await running.versions()), new Set(['two']));
  assert.equal(running.pids.length, 4, running.command.lines.join('\n'));
  assert.equal(await running.command.end(), 0);
});

test('a worker that dies before its turn does not end the replacement of the others', async () => {
  const running = await new Running(3).ready();
  running.hold('two');
  running.command.child.kill('SIGHUP');
  await running.command.line(/^starts \d+ two/);
  // They are replaced in the order in which they were started.
  const [, next] = running.pids.slice(0, 3).toSorted((a, b) => a - b);
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
  await running.command.line(/^starts \d+ two/);
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
  const [first, second] = running.pids.slice(0, 2).toSorted((a, b) => a - b);
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
  await running.command.line(/^starts \d+ old/);
  running.version('new');
  running.command.child.kill('SIGHUP');
  await running.command.line(/SIGHUP: replacing/);
  running.go();
  await running.command.line(/^nonstop: \d workers replaced$/);
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

test('SIGHUP has the file loaded that a link leads to by then', async () => {
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
  await command.line(/^nonstop: 1 workers replaced$/);
  assert.equal((await ask(port)).body, 'two');
  assert.equal(await command.end(), 0);
});

test('requests are counted on when their worker is gone', async () => {
  const running = await start();
  const counted = async (): Promise<number> => {
    const { body } = await ask(running.health, { path: '/metrics' });
    return Number(/_count\{[^}]*route="\/"[^}]*\} (\d+)/.exec(body)?.[1]);
  };
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
  assert.equal(await running.command.end(), 0);
});
