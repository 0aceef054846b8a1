import assert = require('node:assert/strict');
import { execFile } from 'node:child_process';
import { describe, test } from 'node:test';
import { commandLine } from '../../packages/nonstop/test/support/command-line.js';
import { inRepo } from '../../packages/nonstop/test/support/paths.js';

interface End {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<End> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['--expose-gc', inRepo(program), ...args],
      { env: { ...process.env, ...env } },
      (_error, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

const lab = 'scripts/lab.mjs';
const start = 'scripts/start.mjs';
const compare = 'scripts/compare.mjs';
const fuzz = '.build/packages/nonstop/test/fuzz/cli.js';
const fuzzApps = '.build/packages/nonstop/test/parity/cli.js';
const soak = '.build/packages/nonstop/test/soak/cli.js';
const conformance = '.build/packages/nonstop/test/conformance/cli.js';

/** What is refused before anything is built: the first line that is printed. */
const refused: readonly (readonly [program: string, args: readonly string[], line: string])[] = [
  [lab, ['bord'], "There is no 'bord' in the lab"],
  [lab, ['board', '--yes'], "Unknown option '--yes'"],
  [lab, ['board', '--requests', '5'], "Unknown option '--requests'"],
  [lab, ['board', 'hello'], "There is nothing to do with 'hello'"],
  [lab, ['board', '--row'], "Option '--row <value>' argument missing"],
  [lab, ['board', '--row', 'hello,'], "--row takes words with a comma between them, not 'hello,'"],
  [lab, ['board', '--rounds', '1.5'], "--rounds takes a positive whole number, not '1.5'"],
  [lab, ['board', '--rounds=-1'], "--rounds takes a positive whole number, not '-1'"],
  [lab, ['board', '--seconds', 'Infinity'], "--seconds takes a positive number, not 'Infinity'"],
  [lab, ['board', '--warmup', ''], "--warmup takes a positive number, not ''"],
  [lab, ['board', '--idle', 'many'], "--idle takes a positive whole number, not 'many'"],
  [lab, ['study', 'hello', 'echo'], "There is nothing to do with 'echo'"],
  [lab, ['study', 'hello', '--connections', '10,0'], "--connections takes a positive whole number, not '0'"],
  [lab, ['study', 'hello', '--contestants', 'Koa,Koa'], "--contestants has 'Koa' twice"],
  [lab, ['study', 'crud', '--requests', '9'], 'The study crud takes --repetitions, not --requests'],
  [lab, ['study', 'crud', '--repetitions', '0'], "--repetitions takes a positive whole number, not '0'"],
  [lab, ['study', 'echo', '--repetitions', '9'], "--repetitions is of the study crud, not of 'echo'"],
  [lab, ['crud', '--port', '70000'], "--port takes a port up to 65535, not '70000'"],
  [lab, ['crud', '--contestants', ''], "--contestants takes words with a comma between them, not ''"],
  [lab, ['app'], 'lab -- app needs the file of an application'],
  [lab, ['app', 'a.js', '--path', 'items'], "--path takes a path such as /items?page=2, not 'items'"],
  [lab, ['app', 'a.js', '--method', 'PO ST'], "--method takes a method such as POST, not 'PO ST'"],
  [lab, ['app', 'a.js', '--header', 'nothing'], "--header takes 'name: value', not 'nothing'"],
  [lab, ['app', 'a.js', '--node', '20,24'], "lab -- app takes one Node at a time, not '20,24'"],
  [lab, ['scale', '--curve', 'routes,'], "--curve takes words with a comma between them, not 'routes,'"],
  [lab, ['scale', 'routes'], "There is nothing to do with 'routes'"],
  [lab, ['report', '--rounds', '5'], "Unknown option '--rounds'"],
  [compare, ['--yes'], "Unknown option '--yes'"],
  [compare, ['--rounds', '0'], "--rounds takes a positive whole number, not '0'"],
  [compare, ['--generator', 'siege'], "--generator takes wrk or autocannon, not 'siege'"],
  [start, ['--port', '1'], "Unknown option '--port'"],
  ['scripts/test.mjs', ['--yes'], "Unknown option '--yes'"],
  [fuzz, ['--yes'], "Unknown option '--yes'"],
  [fuzz, ['--count', 'x'], "--count takes a positive whole number, not 'x'"],
  [fuzzApps, ['--seed', '-'], "--seed takes a positive whole number, not '-'"],
  [soak, ['--clients', '0'], "--clients takes a positive whole number, not '0'"],
  [soak, ['--door', 'back'], "--door takes node:http or engine, not 'back'"],
  [conformance, [], 'No suite to run'],
  [conformance, ['--express', '/no/such/folder'], '--express: there is no folder /no/such/folder'],
];

describe('a command line that cannot be meant is refused in one line, with exit code 1', () => {
  for (const [program, args, line] of refused) {
    test(`${program} ${args.join(' ')}`, async () => {
      const { code, stderr } = await run(program, args);
      assert.deepEqual([stderr.split('\n')[0], code], [line, 1]);
      assert.doesNotMatch(stderr, /^\s+at /m);
    });
  }

  test('a PORT that is none', async () => {
    const { code, stderr } = await run(start, [], { PORT: 'web' });
    assert.deepEqual([stderr, code], ["PORT takes a number from 1 to 65535, not 'web'\n", 1]);
  });

  test('a file that is not there', async () => {
    const { code, stderr } = await run(lab, ['app', 'a.js', '--body-file', 'nothing.json'], { INIT_CWD: '/' });
    assert.deepEqual([stderr, code], ['--body-file: /nothing.json cannot be read (ENOENT)\n', 1]);
  });
});

describe('the usage', () => {
  for (const [program, args] of [
    [lab, []],
    [lab, ['--help']],
    [lab, ['study', '--help']],
    [start, ['--help']],
    [soak, ['--help']],
  ] as const) {
    test(`is what ${program} ${args.join(' ')} prints`, async () => {
      const { code, stdout, stderr } = await run(program, args);
      assert.match(stdout, /^npm (run|start)/);
      assert.deepEqual([stderr, code], ['', 0]);
    });
  }

  test('follows an option that is not known', async () => {
    const { stderr } = await run(lab, ['study', '--yes']);
    assert.match(stderr, /\n\nnpm run lab -- study.*--quick/s);
  });
});

test('numbers and lists are what they say', async () => {
  const { positive, whole, list } = await commandLine();
  assert.deepEqual([positive('x', '0.5'), positive('x', undefined), whole('x', '10')], [0.5, undefined, 10]);
  assert.deepEqual([list('x', 'a, b'), list('x', undefined)], [['a', 'b'], undefined]);
  for (const text of ['0', '-1', 'NaN', ' ', '1e400']) assert.throws(() => positive('x', text), /--x takes/, text);
});
