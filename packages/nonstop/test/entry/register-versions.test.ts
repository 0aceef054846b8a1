import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { folder } from '../support/folder.js';
import { installedExpress } from '../support/installed-express.js';

const run = promisify(execFile);
const entry = path.resolve(__dirname, '../../src/entry');

const below = (place: string, files: Record<string, string>): [string, string][] =>
  Object.entries(files).map(([name, text]) => [path.posix.join(place, name), text]);

const WHICH = `(express) => express.whose ?? (express === require(process.argv[2]) ? 4 : express === require(process.argv[3]) ? 5 : 'another')`;

/** What a program gets as express, where each program has its own express installed. */
const programs = {
  'program.cjs': `console.log((${WHICH})(require('express')));`,
  'program.mjs': `import express from 'express'; import { createRequire } from 'node:module';
    const require = createRequire(import.meta.url); console.log((${WHICH})(express));`,
};

/** Works as express-async-errors does: changes the class of layers so that each handler's rejection goes to `next`. */
const patching = `
  const Layer = require('express/lib/router/layer');
  if (typeof Layer === 'string') return console.log(Layer);
  const forwarding = (handler) => (req, res, next) => handler(req, res, next)?.catch?.(next);
  Object.defineProperty(Layer.prototype, 'handle', {
    enumerable: true,
    get() { return this.__handle; },
    set(handler) { this.__handle = handler.length < 4 ? forwarding(handler) : handler; },
  });
  const app = require('express')();
  app.get('/', async () => { throw new Error('rejected'); });
  app.use((error, req, res, next) => res.send('caught ' + error.message));
  const server = app.listen(0, '127.0.0.1', async () => {
    const answer = await fetch('http://127.0.0.1:' + server.address().port);
    console.log(await answer.text(), require('express/lib/router/layer.js') === Layer, require('express/lib/other'));
    server.close();
    server.closeAllConnections();
  });`;

/** Works as Parse Server does: matches paths with layers of its own. */
const byHand = `
  const Layer = require('router/lib/layer');
  const layer = new Layer('/books/:id', null, () => {});
  for (const path of ['/books/1', '/none']) console.log(Boolean(layer.match(path)), 'params' in layer, layer.params?.id, layer.path);`;

const places: readonly (readonly [place: string, version: string | undefined, given: string])[] = [
  ['four', '4.22.1', '4'],
  ['four/inner', undefined, '4'],
  ['four/five', '5.1.0', '5'],
  ['five', '5.3.0', '5'],
  ['none', undefined, '5'],
  ['three', '3.21.2', 'its own'],
  ['preview', '5.0.0-beta.1', 'its own'],
];

const root = folder(
  Object.fromEntries(
    places.flatMap(([place, version]) => [
      ...below(place, { ...programs, 'patching.cjs': patching }),
      ...(version === undefined ? [] : below(place, installedExpress(version))),
    ]),
  ),
);

/** The package that is installed as express, and the expected message. */
const odd: readonly (readonly [place: string, manifest: string, said: string])[] = [
  ['text', 'no JSON', 'express in DIR is left alone: its package.json cannot be read \\(.+\\)'],
  ['empty', '', 'express in DIR is left alone: its package.json cannot be read \\(.+\\)'],
  ['null', 'null', 'express in DIR is left alone: its package.json has no version'],
  ['unnumbered', '{ "name": "express" }', 'express in DIR is left alone: its package.json has no version'],
  [
    'forked',
    '{ "name": "@me/express", "version": "4.18.2" }',
    "express 4.18.2 in DIR is left alone: it is the package '@me/express'",
  ],
  [
    'patched',
    '{ "name": "express", "version": "4.18.2-mine.1" }',
    'express 4.18.2-mine.1 in DIR is left alone: Nonstop stands for Express 4 and 5',
  ],
  ['aliased', '{ "name": "nonstop", "version": "4.22.0" }', ''],
];

for (const [place, manifest] of odd) {
  const home = path.join(root, place);
  mkdirSync(path.join(home, 'node_modules/express'), { recursive: true });
  for (const [name, text] of Object.entries(programs)) writeFileSync(path.join(home, name), text);
  writeFileSync(path.join(home, 'node_modules/express/package.json'), manifest);
  writeFileSync(path.join(home, 'node_modules/express/index.js'), 'module.exports = { whose: "its own" };');
}

// An Express checkout that is linked into a project, and one that hides its package.json.
mkdirSync(path.join(root, 'linked/node_modules'), { recursive: true });
symlinkSync(path.join(root, 'four/node_modules/express'), path.join(root, 'linked/node_modules/express'), 'junction');
cpSync(path.join(root, 'four/node_modules'), path.join(root, 'hidden/node_modules'), { recursive: true });
const hiding = { name: 'express', version: '4.22.1', exports: './index.js' };
writeFileSync(path.join(root, 'hidden/node_modules/express/package.json'), JSON.stringify(hiding));
mkdirSync(path.join(root, 'hidden/inner'));
for (const place of ['linked', 'hidden', 'hidden/inner'])
  for (const [name, text] of Object.entries(programs)) writeFileSync(path.join(root, place, name), text);

for (const router of ['2.0.0', '2.2.0', '2.3.0']) {
  for (const [name, text] of below(`router-${router}`, { ...installedExpress('5.1.0', router), 'layer.cjs': byHand })) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  }
}

interface Said {
  readonly stdout: string;
  readonly stderr: string;
}

function play(file: string, said?: string): Promise<Said> {
  const flag = pathToFileURL(path.join(entry, 'register.mjs')).href;
  const args = ['--import', flag, path.join(root, file), path.join(entry, 'v4.js'), path.join(entry, 'index.js')];
  return run(process.execPath, args, { cwd: root, env: { ...process.env, NONSTOP_REGISTER: said ?? '' } });
}

const escaped = (text: string): string => text.replaceAll(/[\\^$|?[\]{}]/g, String.raw`\$&`);

describe('nonstop/register gives each program the Express that is installed next to it', () => {
  for (const [place, version, given] of places) {
    for (const file of Object.keys(programs)) {
      test(`${file} in ${place}, with ${version ?? 'no express of its own'}`, async () => {
        const { stdout, stderr } = await play(`${place}/${file}`);
        assert.equal(stdout.trim(), given);
        if (given !== 'its own') assert.equal(stderr, '');
        else assert.match(stderr, new RegExp(`^nonstop/register: express ${version} in .* is left alone: .*\\n$`));
      });
    }
  }

  for (const [place, , line] of odd) {
    for (const file of Object.keys(programs)) {
      test(`${file} gets the installed express if its package.json is ${place}`, async () => {
        // node cannot load an invalid JSON file either: only the message can be checked.
        const { stdout, stderr } = await play(`${place}/${file}`).catch((error: unknown) => error as Said);
        if (!['text', 'empty', 'null'].includes(place)) assert.equal(stdout.trim(), 'its own');
        const dir = path.join(root, place, 'node_modules', 'express');
        const said = stderr.split('\n').filter((each) => each.startsWith('nonstop/register: '));
        if (line === '') assert.deepEqual(said, []);
        else assert.match(said.join('\n'), new RegExp(`^nonstop/register: ${line.replace('DIR', escaped(dir))}$`));
      });
    }
  }

  test('a linked express is its target', async () => {
    for (const file of Object.keys(programs)) {
      const { stdout, stderr } = await play(`linked/${file}`, 'explain');
      assert.equal(stdout.trim(), '4');
      assert.match(stderr, /gets nonstop\/v4 \(express 4\.22\.1 in .*four.node_modules.express\)/);
    }
  });

  test('an express that hides its package.json is found too', async () => {
    for (const place of ['hidden', 'hidden/inner'])
      for (const file of Object.keys(programs))
        assert.equal((await play(`${place}/${file}`)).stdout.trim(), '4', place);
  });

  test('a package that patches the layers of Express 4 patches those of nonstop/v4', async () => {
    assert.equal((await play('four/patching.cjs')).stdout, 'caught rejected true its own\n');
  });

  for (const [router, said] of [
    ['2.0.0', 'true true 1 /books/1\nfalse true undefined undefined\n'],
    ['2.2.0', 'true true 1 /books/1\nfalse true undefined undefined\n'],
    ['2.3.0', 'true false undefined undefined\nfalse false undefined undefined\n'],
  ])
    test(`a layer made by hand has the results of match() as that of router ${router}`, async () => {
      assert.equal((await play(`router-${router}/layer.cjs`)).stdout, said);
    });

  test('a module without a counterpart in Nonstop is the installed one', async () => {
    assert.equal((await play('five/patching.cjs')).stdout, 'its own\n');
  });

  test('NONSTOP_REGISTER=quiet prints nothing about an Express that is not replaced', async () => {
    assert.deepEqual(await play('three/program.cjs', 'quiet'), { stdout: 'its own\n', stderr: '' });
  });

  test('NONSTOP_REGISTER=explain prints what each program gets', async () => {
    for (const file of ['program.cjs', 'program.mjs']) {
      const { stderr } = await play(`four/inner/${file}`, 'explain');
      assert.match(
        stderr,
        /^nonstop\/register: .*inner.program\.[cm]js gets nonstop\/v4 \(express 4\.22\.1 in .*\)\n$/,
      );
      assert.match((await play(`none/${file}`, 'explain')).stderr, /gets nonstop \(no express is installed\)\n$/);
    }
  });

  test('another NONSTOP_REGISTER is an error', async () => {
    await assert.rejects(
      play('five/program.cjs', 'loud'),
      /TypeError: NONSTOP_REGISTER is 'loud', and must be 'quiet' or 'explain'[^]*code: 'ERR_NONSTOP_REGISTER'/,
    );
  });
});
