import assert = require('node:assert/strict');
import { execFile } from 'node:child_process';
import fs = require('node:fs');
import path = require('node:path');
import { before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { findH2load } from '../src/h2load.js';
import { folder } from '../../nonstop/test/support/folder.js';
import { inRepo } from '../../nonstop/test/support/paths.js';

const run = promisify(execFile);
/** What npm publishes, unpacked: a file that is only beside the package is missing here. */
const unpacked = inRepo('.build/nonstop-lab/unpacked');
const cli = path.join(unpacked, 'package/dist/cli.js');
const app = inRepo('packages/lab/test/fixtures/apps/routes.js');

describe('the package nonstop-lab', () => {
  before(async () => {
    const { stdout } = await run(process.execPath, [inRepo('scripts/pack-lab.mjs')]);
    const tarball = path.basename(stdout.trim().split('\n').at(-1) ?? '');
    fs.mkdirSync(unpacked);
    await run('tar', ['-xzf', path.join('..', tarball)], { cwd: unpacked });
  });

  test('depends on what it needs, and on no package of the studies', () => {
    const manifest = path.join(unpacked, 'package/package.json');
    const { bin, dependencies } = JSON.parse(fs.readFileSync(manifest, 'utf8'));
    assert.deepEqual(Object.keys(dependencies), ['autocannon', 'nonstop']);
    assert.deepEqual(bin, { 'nonstop-lab': './dist/cli.js' });
  });

  test('has a README without links to files that are not in it', () => {
    const readme = fs.readFileSync(path.join(unpacked, 'package/README.md'), 'utf8');
    assert.match(readme, /what your application would gain from Nonstop\./);
    assert.doesNotMatch(readme, /\]\(/);
  });

  test('measures an application from any folder and keeps the record there', async () => {
    const cwd = folder({});
    const args = [cli, app, '--rounds', '2', '--seconds', '0.2', '--path', '/health', '--rps', '1000'];
    const { stdout } = await run(process.execPath, args, { cwd });
    assert.match(stdout, /^The answers to GET \/health are the same: 200/m);
    // Samples this short may differ less than their rounds do: then there is nothing to scale.
    assert.match(
      stdout,
      /^(?:Under Nonstop a request needs \d\.\d\d (?:times|of) the CPU time: .*\.\n+At 1,000 requests\/s: |No difference seen beyond the spread.*\.\n+So there is none to scale to 1,000 requests\/s\.$)/m,
    );
    assert.match(stdout, /^Report of 1 record: .*nonstop-lab-results.report\.html$/m);
    const [record, page] = fs.readdirSync(path.join(cwd, 'nonstop-lab-results')).sort();
    assert.match(record, /-app\.json$/);
    assert.equal(page, 'report.html');
    const text = fs.readFileSync(path.join(cwd, 'nonstop-lab-results', page), 'utf8');
    assert.match(
      text,
      /routes\.js, GET \/health<\/a\s*>, Node v\S+: (?:Under Nonstop a request needs|No difference seen)/,
    );
    assert.doesNotMatch(text, /Five studies/);
  });

  const skip = findH2load() === undefined && process.env['CI'] !== 'true' && 'h2load is not installed';
  test('measures it over HTTP/2', { skip }, async () => {
    const args = [cli, app, '--quick', '--path', '/health', '--http2'];
    const { stdout } = await run(process.execPath, args, { cwd: folder({}) });
    assert.match(stdout, /^Nonstop is asked over HTTP\/2, one connection with 10 streams at once\./m);
    assert.match(stdout, /^No verdict: a short run shows that both run and answer alike/m);
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

  for (const [args, line] of [
    [['--har', 'x.har', '--path', '/'], '--har x.har already names the requests: leave out --path, or --har'],
    [
      ['--har', 'x.har', '--method', 'PUT', '--header', 'a: b'],
      '--har x.har already names the requests: leave out --method and --header, or --har',
    ],
    [['--har', 'x.har'], "--har: x.har, entry 1: 'nonsense' is not a URL such as http://localhost:3000/items"],
    [['--header', 'Accept: a/b', '--header', 'accept: c/d'], '--header has accept twice: each name is sent once'],
    [['--body-file', 'octets'], '--body-file: octets is not text in UTF-8'],
    [['--method', 'G ET'], "--method needs a method such as POST, got 'G ET'"],
    [['--method', ''], "--method needs a method such as POST, got ''"],
    [['--rounds', '-3'], "--rounds needs a whole number above 0, got '-3'"],
    [['--rounds', '1.5'], "--rounds needs a whole number above 0, got '1.5'"],
    [
      ['--rounds', '--quick'],
      "Option '--rounds' needs a value; one that begins with a dash is written --rounds=-x (--help shows the options)",
    ],
    [['--connections', '0.2'], "--connections needs a whole number above 0, got '0.2'"],
    [['--http2', '--streams', '1.5'], "--streams needs a whole number above 0, got '1.5'"],
    [['--seconds', '-1'], "--seconds needs a number above 0, got '-1'"],
    [['--results', 'x.har'], "--results needs a folder that can be written to, got 'x.har' (not a folder)"],
    [['--results', 'x.har/a/b'], "--results needs a folder that can be written to, got 'x.har/a/b' (not a folder)"],
  ] as const) {
    test(`refuses ${args.join(' ')} in one line, before the application is started`, async () => {
      const files = {
        'server.js': "require('node:fs').writeFileSync(`${__dirname}/started`, '')",
        'node_modules/express/package.json': '{"version":"5.0.0"}',
        octets: Buffer.from([0xff]),
        'x.har':
          '{"log":{"entries":[{"request":{"method":"GET","url":"nonsense","headers":[]},"response":{"status":200}}]}}',
      };
      const cwd = folder(files);
      const end = await run(process.execPath, [cli, ...args], { cwd }).catch((error: unknown) => error);
      const { stdout, stderr, code = 0 } = end as { stdout: string; stderr: string; code?: number };
      assert.deepEqual([stdout, stderr, code], ['', `${line}\n`, 1]);
      assert.deepEqual(fs.readdirSync(cwd).sort(), ['node_modules', 'octets', 'server.js', 'x.har']);
    });
  }
});
