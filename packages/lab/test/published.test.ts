import assert = require('node:assert/strict');
import { execFile } from 'node:child_process';
import fs = require('node:fs');
import path = require('node:path');
import { before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { folder } from '../../nonstop/test/support/folder.js';
import { inRepo } from '../../nonstop/test/support/paths.js';

const run = promisify(execFile);
const cli = inRepo('.build/nonstop-lab/dist/cli.js');
const app = inRepo('packages/lab/test/fixtures/apps/routes.js');

describe('the package nonstop-lab', () => {
  before(() => run(process.execPath, [inRepo('scripts/pack-lab.mjs')]));

  test('depends on what it needs, and on no package of the studies', () => {
    const { bin, dependencies } = JSON.parse(fs.readFileSync(inRepo('.build/nonstop-lab/package.json'), 'utf8'));
    assert.deepEqual(Object.keys(dependencies), ['autocannon', 'nonstop']);
    assert.deepEqual(bin, { 'nonstop-lab': './dist/cli.js' });
  });

  test('measures an application from any folder and keeps the record there', async () => {
    const cwd = folder({});
    const args = [cli, app, '--quick', '--path', '/health', '--rps', '1000'];
    const { stdout } = await run(process.execPath, args, { cwd });
    assert.match(stdout, /^The answers to GET \/health are the same: 200/m);
    assert.match(
      stdout,
      /^(Under Nonstop it needs|No difference seen).* This was a short run, whose figures mean little\.$/m,
    );
    assert.match(stdout, /^At 1,000 requests\/s: /m);
    assert.match(stdout, /^Report of 1 record: .*nonstop-lab-results.report\.html$/m);
    const [record, page] = fs.readdirSync(path.join(cwd, 'nonstop-lab-results')).sort();
    assert.match(record, /-app\.json$/);
    assert.equal(page, 'report.html');
    const text = fs.readFileSync(path.join(cwd, 'nonstop-lab-results', page), 'utf8');
    assert.match(text, /routes\.js, GET \/health<\/a\s*>, Node v\S+: (?:Under Nonstop it needs|No difference seen)/);
    assert.doesNotMatch(text, /Five studies/);
  });

  for (const [args, line] of [
    [['--help'], /^nonstop-lab \[\.\/server\.js \| folder\] \[options\]/],
    [['a.js', 'b.js'], /^Unexpected argument: b\.js/],
    [['--bogus'], /^Unknown option '--bogus' \(--help shows the options\)$/m],
    [['--path'], /^Option '--path <value>' argument missing \(--help shows the options\)$/m],
    [
      [inRepo('packages/lab/test/fixtures/apps/ends.js')],
      /ended \(0\) before it listened; name the file that calls listen\(\)/,
    ],
    [['--path', 'x'], /^--path needs a path such as/],
    [['--rps', 'many'], /^--rps needs a number above 0, got 'many'/],
    [['nothing.js'], /^There is no file .*nothing\.js/],
    [['--har', 'nothing.har', app], /^--har: nothing\.har cannot be read \(ENOENT\)/],
    [[], /^.* does not say which file starts the application: name it/],
  ] as const) {
    test(`answers ${args.join(' ') || 'nothing at all'} with ${line.source}`, async () => {
      const end = await run(process.execPath, [cli, ...args], { cwd: folder({}) }).catch((error: unknown) => error);
      const { stdout, stderr, code = 0 } = end as { stdout: string; stderr: string; code?: number };
      assert.match(stdout + stderr, line);
      assert.equal(code, args[0] === '--help' ? 0 : 1);
    });
  }
});
