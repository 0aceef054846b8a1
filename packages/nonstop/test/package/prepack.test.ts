import assert = require('node:assert/strict');
import fs = require('node:fs');
import { tmpdir } from 'node:os';
import path = require('node:path');
import { pathToFileURL } from 'node:url';
import { after, before, describe, test } from 'node:test';
import { inPackage, inRepo } from '../support/paths.js';

interface RunModule {
  npm(args: readonly string[], options: { cwd: string }): Promise<{ stdout: string }>;
}

interface Packed {
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

const dist = 'packages/nonstop/dist';

describe('npm pack in a copy of the repository', () => {
  let copy = '';
  before(() => {
    copy = fs.mkdtempSync(path.join(tmpdir(), 'nonstop-copy-'));
    for (const name of [
      'packages/nonstop/src',
      'packages/nonstop/package.json',
      'scripts',
      'package.json',
      'package-lock.json',
      'tsconfig.base.json',
      'README.md',
      'LICENSE',
    ])
      fs.cpSync(inRepo(name), path.join(copy, name), { recursive: true });
    fs.symlinkSync(inRepo('node_modules'), path.join(copy, 'node_modules'), 'junction');
  });
  after(() => fs.rmSync(copy, { recursive: true, force: true }));

  async function packed(): Promise<Packed> {
    const { npm } = (await import(pathToFileURL(inRepo('scripts/lib/run.mjs')).href)) as RunModule;
    const { stdout } = await npm(['pack', '--dry-run', '--json', '--workspace', 'nonstop'], { cwd: copy });
    const [one] = JSON.parse(stdout.slice(stdout.indexOf('['))) as Packed[];
    return one;
  }

  test('builds dist/ if it is missing', async () => {
    assert.equal(fs.existsSync(path.join(copy, dist)), false);
    const { files } = await packed();
    const sizes = new Map(files.map((file) => [file.path, file.size]));
    for (const name of ['entry/index.js', 'entry/index.mjs', 'entry/index.d.ts', 'nonstop.js'])
      assert.equal(sizes.get(`dist/${name}`), fs.statSync(inPackage('dist', name)).size, name);
  });

  test('replaces an outdated dist/', async () => {
    fs.writeFileSync(path.join(copy, dist, 'nonstop.js'), '// of last week\n');
    fs.writeFileSync(path.join(copy, dist, 'left.js'), '// of last week\n');
    const { files } = await packed();
    assert.deepEqual(
      files.filter(({ path: name }) => name === 'dist/left.js'),
      [],
    );
    assert.equal(fs.readFileSync(path.join(copy, dist, 'nonstop.js'), 'utf8').includes('of last week'), false);
  });
});
