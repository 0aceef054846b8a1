import assert = require('node:assert/strict');
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs = require('node:fs');
import path = require('node:path');
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { BenchRecord } from '../src/record.js';
import { folder } from '../../nonstop/test/support/folder.js';
import { inRepo } from '../../nonstop/test/support/paths.js';

const cli = path.join(__dirname, '../src/cli.js');
const options = ['--path', '/health', '--connections', '2', '--seconds', '1'];

/** The processes that a run has started, by their command lines. */
function childrenOf(results: string): string[] {
  const mark = `NODE_TEST_RESULTS=${results}`;
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => readable(`/proc/${pid}/environ`).includes(mark))
    .map((pid) => readable(`/proc/${pid}/cmdline`).replaceAll('\0', ' '));
}

function readable(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

const skip = process.platform !== 'linux' && 'what is left running is looked for in /proc';
const commands: readonly (readonly [
  what: string,
  command: (results: string) => string[],
  signals: NodeJS.Signals[],
])[] = [
  [
    'a head-to-head',
    (results) => [inRepo('packages/lab/test/fixtures/head-to-head.mjs'), results],
    ['SIGINT', 'SIGTERM'],
  ],
  [
    'nonstop-lab',
    (results) => [cli, inRepo('packages/lab/test/fixtures/apps/routes.js'), ...options, '--results', results],
    ['SIGINT', 'SIGTERM', 'SIGHUP'],
  ],
];
for (const [what, command, signals] of commands) {
  for (const signal of signals) {
    test(`${signal} during ${what} keeps the finished samples and leaves no process`, { skip }, async () => {
      const results = folder({});
      const child = spawn(process.execPath, command(results), {
        env: { ...process.env, NODE_TEST_RESULTS: results },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const closed = once(child, 'close');
      let printed = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
      // Until the generator loads a contestant: then a process of each kind runs. `wrk --version` comes before.
      while (child.exitCode === null && !childrenOf(results).some((line) => /wrk -t1|autocannon-process/.test(line)))
        await delay(50);
      child.kill(signal);
      const [code] = (await closed) as [number];
      assert.equal(code, 130, printed);
      // A generator between two loads is notified a moment later.
      for (let tries = 0; childrenOf(results).length > 0 && tries < 100; tries++) await delay(50);
      assert.deepEqual(childrenOf(results), []);
      for (const name of fs.readdirSync(results).filter((file) => file.endsWith('.json'))) {
        const record = JSON.parse(fs.readFileSync(path.join(results, name), 'utf8')) as BenchRecord;
        assert.equal(record.ended, 'interrupted');
      }
      assert.match(printed, /Interrupted: the table holds the samples that were finished\.|Samples: none/);
    });
  }
}

test('SIGINT before nonstop-lab begins to measure is an interruption too', { skip }, async () => {
  const place = folder({
    'app.js': "require('node:fs').writeFileSync(`${__dirname}/started`, ''); setInterval(() => undefined, 1000);",
    'node_modules/express/package.json': '{"version":"5.0.0"}',
  });
  const results = path.join(place, 'results');
  const child = spawn(process.execPath, [cli, path.join(place, 'app.js'), ...options, '--results', results], {
    env: { ...process.env, NODE_TEST_RESULTS: results },
    stdio: 'ignore',
  });
  const closed = once(child, 'close');
  while (child.exitCode === null && !fs.existsSync(path.join(place, 'started'))) await delay(50);
  child.kill('SIGINT');
  assert.deepEqual(await closed, [130, null]);
  assert.deepEqual(childrenOf(results), []);
});
