import assert = require('node:assert/strict');
import { execFile } from 'node:child_process';
import fs = require('node:fs');
import path = require('node:path');
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { inRepo } from '../../nonstop/test/support/paths.js';

const lab = (...args: string[]): Promise<{ stdout: string; stderr: string }> =>
  promisify(execFile)(process.execPath, [inRepo('scripts/lab.mjs'), ...args]);

/** The names that a script takes from modules of the lab, which are loaded by path: no tool sees them. */
function namesIn(text: string): { readonly file: string; readonly name: string }[] {
  const taken = [
    ...[...text.matchAll(/const \{([^}]*)\} = labModule\('([^']*)'\)/g)].map(([, names, file]) => ({ file, names })),
    ...[...text.matchAll(/labModule\('([^']*)'\)\.(\w+)/g)].map(([, file, names]) => ({ file, names })),
  ];
  return taken.flatMap(({ file, names }) => names.split(',').map((name) => ({ file, name: name.trim() })));
}

describe('a command of the lab', () => {
  const folder = inRepo('scripts');
  const scripts = fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.mjs'))
    .map((file) => ({ file, names: namesIn(fs.readFileSync(path.join(folder, file), 'utf8')) }))
    .filter(({ names }) => names.length > 0);

  for (const { file, names } of scripts) {
    test(`finds what it calls: ${file}`, () => {
      for (const { file: module, name } of names) {
        const exported = require(path.join(__dirname, '..', 'src', module)) as Record<string, unknown>;
        assert.notEqual(exported[name], undefined, `${module} has no ${name}`);
      }
    });
  }

  test('is there for the studies, the board and the curves', () => {
    const found = scripts.map(({ file }) => path.basename(file));
    for (const file of ['study.mjs', 'board.mjs', 'scale.mjs']) assert.ok(found.includes(file), file);
  });

  test('says which rows take the number of --idle', async () => {
    assert.match((await lab('board', '--help')).stdout, /^ +--idle 10000 +connections of the rows idle and waiting$/m);
  });

  for (const [args, line] of [
    [['--har', 'x.har', '--path', '/'], '--har x.har already names the requests: leave out --path, or --har'],
    [['--method', 'head'], '--method HEAD cannot be measured: take GET'],
    [['--method', ''], "--method needs a method such as POST, got ''"],
  ] as const) {
    test(`that measures an application refuses ${args.join(' ')}`, async () => {
      await assert.rejects(lab('app', 'a.js', ...args), { code: 1, stderr: `${line}\n` });
    });
  }
});
