import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { folder } from '../support/folder.js';

const run = promisify(execFile);
const entry = path.resolve(__dirname, '../../src/entry');
const name = (file: string): string => JSON.stringify(path.join(entry, file));

const root = folder({
  'five/node_modules/express/package.json': '{ "name": "express", "version": "5.3.0" }',
  'five/node_modules/express/index.js': "module.exports = require('./lib/express');",
  'five/node_modules/express/lib/express.js': '',
  'five/node_modules/express/lib/response.js': '',
  'four/node_modules/express/package.json': '{ "name": "express", "version": "4.22.3" }',
  'four/node_modules/express/index.js': "module.exports = require('./lib/express');",
  'four/node_modules/express/lib/express.js': '',
  'three/node_modules/express/package.json': '{ "name": "express", "version": "3.21.2" }',
  'three/node_modules/express/index.js': '',
  'none/app.js': '',
  'node_modules/.bin/jest': '',
  'node_modules/tsx/dist/cli.js': '',
  'node_modules/nodemon/bin/nodemon.js': '',
  'jest/bin/jest.js': "process.env.JEST_WORKER_ID = '1'; if (process.argv[2]) require(process.argv[2]);",
});

async function print(program: string): Promise<unknown> {
  const { stdout } = await run(process.execPath, ['-e', program], {
    cwd: root,
    env: { ...process.env, NONSTOP_REGISTER: 'quiet' },
  });
  return JSON.parse(stdout);
}

describe('nonstop/jest', () => {
  const resolves = `
    const resolver = require(${name('jest.js')});
    const { createRequire } = require('node:module'); const path = require('node:path');
    const find = (place, request) => {
      try {
        return path.relative(${JSON.stringify(entry)}, resolver(request, { basedir: path.resolve(place),
          defaultResolver: (wanted, { basedir }) => createRequire(path.join(basedir, 'test.js')).resolve(wanted) })).replaceAll('\\\\', '/');
      } catch (error) { return error.code; }
    };`;

  test('gives a test the Nonstop for the Express that is installed', async () => {
    const found = await print(`${resolves}
      console.log(JSON.stringify([find('five', 'express/lib/express'), find('four', 'express/lib/express.js'), find('none', 'express'),
        find('five', path.resolve('five/node_modules/express/lib/express.js')), find('none', 'expresso')]))`);
    assert.deepEqual(found, ['lib/express.js', 'v4/lib/express.js', 'index.js', 'lib/express.js', 'MODULE_NOT_FOUND']);
  });

  test('asks jest for the version, which may have more places for modules', async () => {
    const found = await print(`const { createRequire } = require('node:module'); const path = require('node:path');
      const defaultResolver = (wanted, { places }) => createRequire(path.resolve(places, 'test.js')).resolve(wanted);
      const file = require(${name('jest.js')})('express/lib/express', { basedir: path.resolve('none'), places: 'four', defaultResolver });
      console.log(JSON.stringify(path.relative(${JSON.stringify(entry)}, file).replaceAll('\\\\', '/')))`);
    assert.equal(found, 'v4/lib/express.js');
  });

  test('does not replace another version', async () => {
    const found = await print(
      `${resolves} console.log(JSON.stringify(find('three', 'express').endsWith('three/node_modules/express/index.js')))`,
    );
    assert.equal(found, true);
  });

  test('says which jest it needs to one that asks for a module of node', async () => {
    const program = `require(${name('jest.js')})('node:timers', { basedir: '.', defaultResolver: (wanted) => wanted });`;
    await assert.rejects(run(process.execPath, ['-e', program], { cwd: root }), ({ stderr }: { stderr: string }) =>
      /^nonstop\/register: jest 26 and older .*; use jest 27 or newer\n/.test(stderr),
    );
  });

  test("gives a jest that knows them node's own modules, which a test mocks", async () => {
    const found =
      await print(`const options = { basedir: '.', conditions: ['require'], defaultResolver: (wanted) => wanted };
      console.log(JSON.stringify(require(${name('jest.js')})('node:fs', options)))`);
    assert.equal(found, 'node:fs');
  });

  test('nonstop/register says that jest did not get Nonstop, unless the resolver is there', async () => {
    const jest = path.join(root, 'jest/bin/jest.js');
    const flags = ['--require', path.join(entry, 'register.js'), jest];
    const without = await run(process.execPath, flags, { cwd: root });
    assert.match(
      without.stderr,
      /^nonstop\/register: jest loads modules itself, .* set resolver to 'nonstop\/jest'\n$/,
    );
    const noTests = [...flags.slice(0, 2), path.join(root, 'node_modules/.bin/jest')];
    for (const args of [[...flags, path.join(entry, 'jest.js')], noTests])
      assert.equal((await run(process.execPath, args, { cwd: root })).stderr, '');
  });
});

describe('nonstop/register in front of a tool that starts another process', () => {
  const flags = ['--require', path.join(entry, 'register.js')];
  const said = async (args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> => {
    const { stderr } = await run(process.execPath, [...flags, ...args], { cwd: root, env: { ...process.env, ...env } });
    return stderr;
  };

  test('says that the program has not got Nonstop', async () => {
    for (const [tool, file] of [
      ['tsx', 'node_modules/tsx/dist/cli.js'],
      ['nodemon', 'node_modules/nodemon/bin/nodemon.js'],
    ] as const) {
      const line = `nonstop/register: ${tool} runs the program in another process, which has got what is installed: set NODE_OPTIONS to '--import nonstop/register'\n`;
      assert.equal(await said([file, 'app.js']), line);
    }
  });

  test('says nothing where the tool or NODE_OPTIONS passes it on, nor for other programs', async () => {
    const cli = 'node_modules/tsx/dist/cli.js';
    assert.equal(await said([cli, '--import', 'nonstop/register', 'app.js']), '');
    const file = path.join(entry, 'register.js');
    assert.equal(await said([cli, 'app.js'], { NODE_OPTIONS: `--require ${file}` }), '');
    assert.equal(await said([cli, 'app.js'], { NONSTOP_REGISTER: 'quiet' }), '');
    assert.equal(await said(['none/app.js']), '');
  });
});
