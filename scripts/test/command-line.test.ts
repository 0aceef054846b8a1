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

/** The first line of the output of commands that are refused before anything is built. */
const refused: readonly (readonly [program: string, args: readonly string[], line: string])[] = [
  [lab, ['bord'], 'Unknown command: bord'],
  [lab, ['board', '--yes'], "Unknown option '--yes'"],
  [lab, ['board', '--requests', '5'], "Unknown option '--requests'"],
  [lab, ['board', 'hello'], 'Unexpected argument: hello'],
  [lab, ['board', '--row'], "Option '--row <value>' argument missing"],
  [lab, ['board', '--row', 'hello,'], "--row needs a list such as a,b, got 'hello,'"],
  [lab, ['board', '--rounds', '1.5'], "--rounds needs a whole number above 0, got '1.5'"],
  [lab, ['board', '--rounds=-1'], "--rounds needs a whole number above 0, got '-1'"],
  [lab, ['board', '--seconds', 'Infinity'], "--seconds needs a number above 0, got 'Infinity'"],
  [lab, ['board', '--warmup', ''], "--warmup needs a number above 0, got ''"],
  [lab, ['board', '--idle', 'many'], "--idle needs a whole number above 0, got 'many'"],
  [lab, ['board', '--most-rounds', '4'], "--most-rounds needs a number that is not below --rounds (5), got '4'"],
  [lab, ['board', '--live-heap', '0'], "--live-heap needs a whole number above 0, got '0'"],
  [lab, ['study'], 'Name a study, or all (which takes hours)'],
  [lab, ['study', 'hello', 'echo'], 'Unexpected argument: echo'],
  [lab, ['study', 'hello', '--connections', '10,0'], "--connections needs a whole number above 0, got '0'"],
  [lab, ['study', 'hello', '--contestants', 'Koa,Koa'], "--contestants names 'Koa' twice"],
  [lab, ['study', 'crud', '--requests', '9'], '--requests does not apply to the study crud, which has --repetitions'],
  [lab, ['study', 'crud', '--repetitions', '-3'], "--repetitions needs a whole number above 0, got '-3'"],
  [lab, ['study', 'crud', '--repetitions', '0'], "--repetitions needs a whole number above 0, got '0'"],
  [lab, ['study', 'echo', '--repetitions', '9'], '--repetitions applies to the study crud only, not to echo'],
  [lab, ['crud', '--port', '70000'], "--port needs a number from 1 to 65535, got '70000'"],
  [lab, ['crud', '--contestants', ''], "--contestants needs a list such as a,b, got ''"],
  [lab, ['app'], 'Name the file or the folder of an application, such as ./app.js'],
  [lab, ['app', 'a.js', '--path', 'items'], "--path needs a path such as /items?page=2, got 'items'"],
  [lab, ['app', 'a.js', '--method', 'PO ST'], "--method needs a method such as POST, got 'PO ST'"],
  [lab, ['app', 'a.js', '--header', 'nothing'], "--header needs 'name: value', got 'nothing'"],
  [lab, ['app', 'a.js', '--node', '20,24'], "--node: this command takes one major at a time, got '20,24'"],
  [lab, ['scale', '--curve', 'routes,'], "--curve needs a list such as a,b, got 'routes,'"],
  [lab, ['scale', 'routes'], 'Unexpected argument: routes'],
  [lab, ['report', '--rounds', '5'], "Unknown option '--rounds'"],
  [compare, ['--yes'], "Unknown option '--yes'"],
  [compare, ['--rounds', '0'], "--rounds needs a whole number above 0, got '0'"],
  [compare, ['--generator', 'siege'], "--generator needs wrk or autocannon, got 'siege'"],
  [start, ['--port', '1'], "Unknown option '--port'"],
  ['scripts/test.mjs', ['--yes'], "Unknown option '--yes'"],
  ['scripts/test.mjs', ['--only', 'wire,nothing-like-it'], "--only: no test file has 'nothing-like-it' in its path"],
  [
    'scripts/test.mjs',
    ['--only', 'packages/lab', '--coverage'],
    "--only: no test file with 'packages/lab' in its path counts for coverage",
  ],
  ['scripts/test.mjs', ['--only', 'wire,'], "--only needs a list such as a,b, got 'wire,'"],
  ['scripts/test.mjs', ['--only', 'nothing-like-it'], "--only: no test file has 'nothing-like-it' in its path"],
  [fuzz, ['--yes'], "Unknown option '--yes'"],
  [fuzz, ['--count', 'x'], "--count needs a whole number above 0, got 'x'"],
  [fuzzApps, ['--seed', '-'], "--seed needs a whole number above 0, got '-'"],
  [soak, ['--clients', '0'], "--clients needs a whole number above 0, got '0'"],
  [soak, ['--door', 'back'], "--door needs node:http or engine, got 'back'"],
  [conformance, [], 'Name at least one suite'],
  [conformance, ['--express', '/no/such/folder'], '--express: there is no folder /no/such/folder'],
];

describe('invalid arguments print one line and exit with status 1', () => {
  for (const [program, args, line] of refused) {
    test(`${program} ${args.join(' ')}`, async () => {
      const { code, stderr } = await run(program, args);
      assert.deepEqual([stderr.split('\n')[0], code], [line, 1]);
      assert.doesNotMatch(stderr, /^\s+at /m);
    });
  }

  test('an invalid PORT', async () => {
    const { code, stderr } = await run(start, [], { PORT: 'web' });
    assert.deepEqual([stderr, code], ["PORT needs a number from 1 to 65535, got 'web'\n", 1]);
  });

  test('a missing file', async () => {
    const { code, stderr } = await run(lab, ['app', 'a.js', '--body-file', 'nothing.json'], { INIT_CWD: '/' });
    assert.deepEqual([stderr, code], ['--body-file: /nothing.json cannot be read (ENOENT)\n', 1]);
  });
});

describe('the usage', () => {
  for (const [program, args] of [
    [lab, []],
    [lab, ['--help']],
    [lab, ['help']],
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

  test('follows an unknown option', async () => {
    const { stderr } = await run(lab, ['study', '--yes']);
    assert.match(stderr, /\n\nnpm run lab -- study.*--quick/s);
  });
});

test('numbers and lists are parsed', async () => {
  const { positive, whole, list } = await commandLine();
  assert.deepEqual([positive('x', '0.5'), positive('x', undefined), whole('x', '10')], [0.5, undefined, 10]);
  assert.deepEqual([list('x', 'a, b'), list('x', undefined)], [['a', 'b'], undefined]);
  for (const text of ['0', '-1', 'NaN', ' ', '1e400']) assert.throws(() => positive('x', text), /--x needs/, text);
});
