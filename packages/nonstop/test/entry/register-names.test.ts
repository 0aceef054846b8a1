import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { folder } from '../support/folder.js';
import { installedExpress } from '../support/installed-express.js';

// Programs and packages that have the names of Express and its router.

const run = promisify(execFile);
const entry = path.resolve(__dirname, '../../src/entry');

/** A program with a file that Express or its router has as well. */
const program = (name: string, version: string, file: string): Record<string, string> => ({
  [`${name} ${version}/package.json`]: JSON.stringify({ name, version, main: 'index.js' }),
  [`${name} ${version}/index.js`]: `console.log(require('./${file}'));`,
  [`${name} ${version}/${file}.js`]: "module.exports = 'its own';",
});
const own = [
  ['router', '2.0.0', 'lib/route'],
  ['router', '1.0.0', 'lib/route'],
  ['express', '5.0.0', 'lib/utils'],
  ['express', '4.1.0', 'lib/utils'],
  ['express', '1.0.0', 'lib/utils'],
] as const;

/** A checkout outside of node_modules, as `npm link`, workspaces and systems' own packages have it. */
const checkout = (place: string, version: string, repository?: string): [string, string][] =>
  Object.entries(installedExpress(version)).map(([file, text]) => [
    path.posix.join(place, file.replace('node_modules/express', '.').replace('node_modules', './node_modules')),
    file.endsWith('express/package.json')
      ? JSON.stringify({ name: 'express', version, main: 'index.js', repository })
      : text,
  ]);

const WHICH = `(express) => express.whose ?? (express === require(process.argv[2]) ? 4 : express === require(process.argv[3]) ? 5 : 'another')`;
const links = ['real-4', 'real-5', 'fork'];

const root = folder({
  ...Object.fromEntries(own.flatMap(([name, version, file]) => Object.entries(program(name, version, file)))),
  ...Object.fromEntries([
    ...checkout('checkouts/real-4', '4.22.3', 'expressjs/express'),
    ...checkout('checkouts/real-5', '5.3.0', 'https://github.com/expressjs/express.git'),
    ...checkout('checkouts/fork', '5.3.0', 'me/express'),
  ]),
  ...Object.fromEntries(
    links.flatMap((place) => [
      [`${place}/program.cjs`, `console.log((${WHICH})(require('express')));`],
      [
        `${place}/program.mjs`,
        `import express from 'express'; import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);
         console.log((${WHICH})(express));`,
      ],
    ]),
  ),
});
for (const place of links) {
  mkdirSync(path.join(root, place, 'node_modules'));
  symlinkSync(path.join(root, 'checkouts', place), path.join(root, place, 'node_modules/express'), 'junction');
}

const play = (file: string): Promise<{ stdout: string; stderr: string }> => {
  const flag = pathToFileURL(path.join(entry, 'register.mjs')).href;
  const args = ['--import', flag, path.join(root, file), path.join(entry, 'v4.js'), path.join(entry, 'index.js')];
  return run(process.execPath, args, { cwd: root });
};

describe('nonstop/register and the names express and router', () => {
  for (const [name, version] of own)
    test(`a program that is called ${name}, in version ${version}, keeps its files`, async () => {
      assert.deepEqual(await play(`${name} ${version}/index.js`), { stdout: 'its own\n', stderr: '' });
    });

  for (const file of ['program.cjs', 'program.mjs']) {
    test(`${file} gets Nonstop in the place of a checkout of Express that is linked`, async () => {
      assert.deepEqual(await play(`real-4/${file}`), { stdout: '4\n', stderr: '' });
      assert.deepEqual(await play(`real-5/${file}`), { stdout: '5\n', stderr: '' });
    });

    test(`${file} gets a linked package that is called express and is not Express`, async () => {
      const { stdout, stderr } = await play(`fork/${file}`);
      assert.equal(stdout, 'its own\n');
      assert.match(
        stderr,
        /^nonstop\/register: express 5\.3\.0 in .*checkouts.fork is left alone: it is not in node_modules, and not from the repository of express\n$/,
      );
    });
  }
});
