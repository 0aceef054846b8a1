import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import nodesModule from 'node:module';
import path from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { folder } from '../support/folder.js';
import { installedExpress } from '../support/installed-express.js';

// Up to Node 22.14 module hooks run in a thread of their own. Later ones play these programs without it.

const run = promisify(execFile);
const entry = path.resolve(__dirname, '../../src/entry');
const register = pathToFileURL(path.join(entry, 'register.mjs')).href;
const hasThread = !('registerHooks' in nodesModule);

const WHICH = `(express) => console.log(express === require(process.argv[2]) ? 'nonstop' : 'another')`;
const programs = {
  'program.cjs': `(${WHICH})(require('express'));`,
  'program.mjs': `import express from 'express'; import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);
    (${WHICH})(express);`,
};
const root = folder({
  ...programs,
  ...Object.fromEntries(
    Object.entries({ ...programs, ...installedExpress('5.3.0') }).map(([file, text]) => [`five/${file}`, text]),
  ),
  'registers.mjs': `import { register } from 'node:module';
    register('data:text/javascript,export async function resolve(name, context, next) { return next(name, context); }');
    await import('./program.mjs');`,
  'hooks.mjs': `import * as hooks from 'node:module';
    if (hooks.registerHooks === undefined) hooks.register('./loader.mjs', import.meta.url);`,
  // As jiti's: it gives node the text of CommonJS modules. Here of those that run in the thread of hooks.
  'loader.mjs': `import { readFileSync } from 'node:fs';
    export const load = async (url, context, next) => {
      const loaded = await next(url, context);
      return /\\/(?:stand-in|which-express)\\.js$/.test(url) ? { ...loaded, source: readFileSync(new URL(url)) } : loaded;
    };`,
});

const play = async (file: string, flags: readonly string[]): Promise<{ stdout: string; stderr: string }> =>
  run(process.execPath, [...flags, '--import', register, path.join(root, file), path.join(entry, 'index.js')], {
    cwd: root,
  });

describe('nonstop/register and the thread of module hooks', () => {
  for (const file of Object.keys(programs))
    test(`${file} gets Nonstop with the hooks of another loader`, async () => {
      const flags = ['--import', pathToFileURL(path.join(root, 'hooks.mjs')).href];
      for (const place of ['.', 'five'])
        assert.deepEqual(await play(`${place}/${file}`, flags), { stdout: 'nonstop\n', stderr: '' });
    });

  test('a program that registers hooks of its own goes on to import, and gets Nonstop', async () => {
    const flags = ['--require', path.join(entry, 'register.js'), path.join(root, 'registers.mjs')];
    const { stdout } = await run(process.execPath, [...flags, path.join(entry, 'index.js')], { cwd: root });
    assert.equal(stdout, 'nonstop\n');
  });

  test('a process that may not start threads gets Nonstop for require, and is told of import', async () => {
    const permission = process.allowedNodeEnvironmentFlags.has('--permission')
      ? '--permission'
      : '--experimental-permission';
    const flags = ['--no-warnings', permission, '--allow-fs-read=*'];
    const line = hasThread
      ? 'nonstop/register: import does not get Nonstop where no express is installed: this Node needs --allow-worker for it\n'
      : '';
    for (const file of ['program.cjs', 'five/program.cjs', 'five/program.mjs'])
      assert.deepEqual(await play(file, flags), { stdout: 'nonstop\n', stderr: line });
    assert.deepEqual(await play('program.mjs', [...flags, '--allow-worker']), { stdout: 'nonstop\n', stderr: '' });
  });
});
