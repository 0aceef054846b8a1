import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { test } from 'node:test';
import { Command, ask, bin, noReplacing, noSignals, programs, until } from '../support/nonstop-command.js';

const cwd = programs({
  'version.txt': 'one',
  'app.cjs': `
    const version = require('fs').readFileSync(__dirname + '/version.txt', 'utf8');
    if (version === 'broken') throw new Error('a broken version');
    const app = require('express')();
    app.get('/', (req, res) => res.json({ version, pid: process.pid }));
    app.post('/', (req, res) => setTimeout(() => res.json({ version, pid: process.pid }), 5));
    app.get('/hang', () => { for (;;); });
    app.get('/closes', (req, res) => { res.json({ version, pid: process.pid }); server.close(); });
    app.get('/drains', (req, res) => { res.json({ version, pid: process.pid }); require('nonstop/production').drain(); });
    const server = app.listen(0, '127.0.0.1');
    server.keepAliveTimeout = Number(process.argv[2] ?? 100);`,
});

const start = async (
  version: string,
  ...args: string[]
): Promise<{ command: Command; port: number; asked: () => Promise<{ version: string; pid: number }> }> => {
  fs.writeFileSync(path.join(cwd, 'version.txt'), version);
  const command = new Command(['--workers', '2', 'app.cjs', ...args], { cwd });
  const { port } = await command.ready();
  return { command, port, asked: async () => JSON.parse((await ask(port)).body) };
};

test('SIGHUP replaces all workers, and no request is lost', { skip: noReplacing }, async () => {
  // Longer than a client on a busy machine may pause between two requests on its connection.
  const { command, port } = await start('one', '60000');
  const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });
  const versions: string[] = [];
  const over = new AbortController();
  const client = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const { status, body } = await ask(port, { method: 'POST', body: 'x', agent });
      assert.equal(status, 200);
      versions.push(JSON.parse(body).version);
    }
  };
  const clients = Promise.all(Array.from({ length: 8 }, client));
  const seen = async (version: string): Promise<void> => {
    // A request that is lost rejects here.
    const looked = until(
      async () => versions,
      (all) => all.includes(version),
    );
    await Promise.race([looked, clients]);
  };
  await seen('one');
  fs.writeFileSync(path.join(cwd, 'version.txt'), 'two');
  command.child.kill('SIGHUP');
  await command.line(/2 workers replaced/);
  await seen('two');
  over.abort();
  await clients;
  assert.deepEqual([...new Set(versions)], ['one', 'two']);
  agent.destroy();
  assert.equal(await command.end(), 0);
});

test('a new version that does not start replaces no worker', { skip: noReplacing }, async () => {
  const { command, asked } = await start('one');
  fs.writeFileSync(path.join(cwd, 'version.txt'), 'broken');
  command.child.kill('SIGHUP');
  await command.line(/the new worker is not ready \(status 1\): worker \d+ stays/);
  await command.line(/^nonstop: 0 workers replaced$/);
  for (let i = 0; i < 4; i++) assert.equal((await asked()).version, 'one');
  assert.equal(await command.end(), 0);
});

test('a killed worker is replaced, and the other one serves meanwhile', { skip: noSignals }, async () => {
  const { command, asked } = await start('one');
  const { pid } = await asked();
  process.kill(pid, 'SIGKILL');
  await command.line(new RegExp(`worker ${pid} died \\(signal SIGKILL\\), another starts in 100 ms`));
  const pids = new Set<number>();
  await until(asked, (answer) => pids.add(answer.pid).size === 2);
  assert.ok(!pids.has(pid));
  assert.equal(await command.end(), 0);
});

test('workers that die together are all replaced soon', { skip: noSignals }, async () => {
  const { command, asked } = await start('one');
  const pids = new Set<number>();
  await until(asked, (answer) => pids.add(answer.pid).size === 2);
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  for (const pid of pids) {
    await command.line(new RegExp(`worker ${pid} died \\(signal SIGKILL\\), another starts in 100 ms`));
  }
  assert.equal(await command.end(), 0);
});

test('a worker that gets SIGTERM ends once its successor is ready', { skip: noSignals }, async () => {
  const { command, asked } = await start('one');
  const { pid } = await asked();
  process.kill(pid, 'SIGTERM');
  const pids = new Set([pid]);
  await until(asked, (answer) => pids.add(answer.pid).size === 3);
  assert.equal(await command.end(), 0);
  assert.ok(!command.lines.some((line) => line.includes('died')));
});

test('a worker that hangs is replaced', async () => {
  const command = new Command(['--workers', '2', '--hang-timeout', '4s', 'app.cjs'], { cwd });
  const { port } = await command.ready();
  await assert.rejects(ask(port, { path: '/hang' }), { code: 'ECONNRESET' });
  const [, hung] = await command.line(/worker (\d+) died \(hung for 4 s\), another starts in 100 ms/);
  const pids = new Set<number>();
  await until(
    () => ask(port),
    ({ body }) => pids.add((JSON.parse(body) as { pid: number }).pid).size === 2,
  );
  assert.ok(!pids.has(Number(hung)));
  assert.equal(await command.end(), 0);
});

test('workers do not outlive a supervisor that is killed', async () => {
  const { command, asked } = await start('one');
  const pids = new Set<number>();
  await until(asked, ({ pid }) => pids.add(pid).size === 2);
  assert.equal(await command.end('SIGKILL'), null);
  for (const pid of pids)
    await until(
      async () => alive(pid),
      (is) => !is,
    );
});

/** Whether there is such a process. */
function alive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

for (const how of ['closes', 'drains']) {
  test(`a worker that ${how} its own server ends, as it would without a supervisor, and is replaced`, async () => {
    const { command, port, asked } = await start('one');
    const { pid } = JSON.parse((await ask(port, { path: `/${how}` })).body) as { pid: number };
    await command.line(new RegExp(`^nonstop: worker ${pid} died \\(status 0\\)`));
    await until(asked, (answer) => answer.pid !== pid);
    await until(
      async () => Promise.all([asked(), asked()]),
      ([one, other]) => one.pid !== other.pid,
    );
    assert.equal(await command.end(), 0);
  });
}

test(
  'a worker runs the command at the path at which it was started, whose links may lead elsewhere later',
  { skip: process.platform !== 'linux' && 'it reads /proc' },
  async () => {
    const root = programs({
      'app.cjs': `console.log(require('fs').readFileSync('/proc/self/cmdline', 'latin1').split('\\0').join(' '));
    module.exports = (req, res) => res.end();`,
    });
    fs.symlinkSync(path.dirname(bin), path.join(root, 'current'));
    const command = new Command(['--workers', '1', '--port', '0', '--host', '127.0.0.1', 'app.cjs'], {
      cwd: root,
      bin: path.join('current', path.basename(bin)),
    });
    await command.ready();
    await command.line(/\/current\/bin\.js .*app\.cjs/);
    assert.equal(await command.end(), 0);
  },
);

test('only the signal that ends a supervisor reaches the listeners of its preloads', { skip: noSignals }, async () => {
  const cwd = programs({
    'preload.cjs': `
      if (!require('node:cluster').isWorker)
        for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => console.log('heard ' + signal));`,
    'app.cjs': `module.exports = (req, res) => res.end();`,
    'broken.cjs': `throw new Error('broken');`,
  });
  const env = { NODE_OPTIONS: '--require ./preload.cjs' };
  const args = ['--port', '0', '--host', '127.0.0.1', '--workers', '1'];
  const heard = ({ lines }: Command): string[] => lines.filter((line) => line.startsWith('heard'));
  const broken = new Command([...args, 'broken.cjs'], { cwd, env });
  assert.equal((await broken.ended).status, 4);
  assert.deepEqual(heard(broken), []);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const command = new Command([...args, 'app.cjs'], { cwd, env });
    await command.ready();
    assert.equal(await command.end(signal), 0);
    assert.deepEqual(heard(command), [`heard ${signal}`]);
  }
});
