import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const entry = path.resolve(__dirname, '../../src/entry');
const index = path.join(entry, 'index.js');

/** An application folder with its own `express`, which must not be loaded, except for the parts that Nonstop lacks. */
const files: Readonly<Record<string, string>> = {
  'node_modules/express/package.json': '{ "name": "express", "version": "5.0.0", "main": "index.js" }',
  'node_modules/express/index.js': 'module.exports = require("./lib/express");',
  'node_modules/express/lib/express.js': `exports = module.exports = { whose: 'its own' };
    exports.Router = require('router');`,
  'node_modules/express/lib/application.js': 'module.exports = "its own";',
  'node_modules/express/lib/request.js': 'module.exports = "its own";',
  'node_modules/express/lib/response.js': 'module.exports = "its own";',
  'node_modules/express/lib/view.js': 'module.exports = "its own";',
  'node_modules/express/lib/other.js': 'module.exports = { whose: "its own" };',
  'node_modules/router/package.json': '{ "name": "router", "version": "2.3.0", "main": "index.js" }',
  // Node 20 reads the names for `import` here.
  'node_modules/router/index.js': 'exports.Route = "its own";',
  'node_modules/router/lib/layer.js': 'module.exports = "its own";',
  'node_modules/router/lib/route.js': 'module.exports = "its own";',
  'node_modules/expresso/index.js': 'module.exports = { whose: "expresso" };',
  'node_modules/wants-express/index.js': "module.exports = require('express');",
  'required.cjs': `
    const nonstop = require(process.argv[2]);
    const express = require('express');
    const { createRequire } = require('node:module');
    const path = require('node:path');
    const facts = {
      required: express === nonstop,
      'its place is that of the installed one': require.resolve('express') === path.join(__dirname, 'node_modules/express/index.js'),
      'required by its path': require(path.join(__dirname, 'node_modules/express')) === nonstop,
      'createRequire': createRequire(__filename)('express') === nonstop,
      'required by a package': require('wants-express') === nonstop,
      'a module inside': require('express/lib/response') === nonstop.response,
      'the router of Express 5': require('router') === nonstop.Router,
      'another deep path stays': require('express/lib/other').whose,
      'a longer name stays': require('expresso').whose,
    };
    import('express').then((imported) => {
      facts['imported by the same file'] = imported.default === nonstop;
      console.log(JSON.stringify(facts));
    });`,
  'imported.mjs': `
    import express, { Router } from 'express';
    import expresso from 'expresso/index.js';
    import other from 'express/lib/other.js';
    import response from 'express/lib/response.js';
    import Route from 'router/lib/route.js';
    import { Route as ofRouter } from 'router';
    import wanted from 'wants-express/index.js';
    import { createRequire } from 'node:module';
    const require = createRequire(import.meta.url);
    const nonstop = require(process.argv[2]);
    console.log(JSON.stringify({
      imported: express === nonstop,
      'a named import': Router === nonstop.Router,
      'a named import of the router': ofRouter === nonstop.Route,
      'its place is that of the installed one': import.meta.resolve('express').endsWith('/node_modules/express/index.js'),
      'required by the same file': require('express') === nonstop,
      'required by a package': wanted === nonstop,
      'a module inside': response === nonstop.response,
      'the router of Express 5': Route === nonstop.Route,
      'another deep path stays': other.whose,
      'a longer name stays': expresso.whose,
    }));`,
  'alone.cjs': `process.argv[2] = ${JSON.stringify(index)}; require('./required.cjs');`,
  'worker.cjs': `
    const { Worker } = require('node:worker_threads');
    new Worker(process.argv[3], { argv: [process.argv[2]] });`,
};

/** Workers whose options remove the flags of the process. */
const workers: Readonly<Record<string, string>> = {
  'without options': `new Worker('./alone.cjs')`,
  'with flags of its own': `new Worker('./required.cjs', { argv, execArgv: ['--no-warnings'] })`,
  'with variables of its own': `new Worker('./required.cjs', { argv, env: {} })`,
  'with shared variables': `new Worker('./required.cjs', { argv, env: require('node:worker_threads').SHARE_ENV })`,
  'made of a text': `new Worker("require('./required.cjs')", { argv, eval: true })`,
  'made of a text, with variables of its own': `new Worker("require('./required.cjs')", { argv, eval: true, env: {} })`,
};

const requiredFacts = {
  required: true,
  'its place is that of the installed one': true,
  'required by its path': true,
  createRequire: true,
  'required by a package': true,
  'a module inside': true,
  'the router of Express 5': true,
  'another deep path stays': 'its own',
  'a longer name stays': 'expresso',
  'imported by the same file': true,
};
const importedFacts = {
  imported: true,
  'a named import': true,
  'a named import of the router': true,
  'its place is that of the installed one': true,
  'required by the same file': true,
  'required by a package': true,
  'a module inside': true,
  'the router of Express 5': true,
  'another deep path stays': 'its own',
  'a longer name stays': 'expresso',
};

const flags: readonly (readonly [flag: string, value: string])[] = [
  ['--require', path.join(entry, 'register.js')],
  ['--import', pathToFileURL(path.join(entry, 'register.mjs')).href],
];

const cases: readonly (readonly [what: string, script: readonly string[], facts: object])[] = [
  ['a CommonJS application', ['required.cjs'], requiredFacts],
  ['an ES module application', ['imported.mjs'], importedFacts],
  ['a CommonJS worker', ['worker.cjs', './required.cjs'], requiredFacts],
  ['an ES module worker', ['worker.cjs', './imported.mjs'], importedFacts],
];

describe('nonstop/register', () => {
  let folder = '';
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'nonstop-register-'));
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), text);
    }
  });
  after(() => rmSync(folder, { recursive: true }));

  async function factsOf(nodeFlags: readonly string[], [script, ...rest]: readonly string[]): Promise<unknown> {
    const args = [...nodeFlags, path.join(folder, script), index, ...rest];
    const { stdout, stderr } = await run(process.execPath, args, { cwd: folder });
    assert.equal(stderr, '', 'nothing is said on stderr, not even a deprecation');
    return JSON.parse(stdout);
  }

  for (const flag of flags) {
    for (const [what, script, facts] of cases) {
      it(`gives ${what} Nonstop for express through ${flag[0]}`, async () => {
        assert.deepEqual(await factsOf(flag, script), facts);
      });
    }
  }

  // A worker refuses --title, and node reads no flag after a value that belongs to none.
  const refused = ['--title', 'api, --b', '--expose-gc', ...flags[1]];
  for (const flag of [...flags.map(([name, value]) => [name, value]), refused, ['--max-old-space-size=200']]) {
    for (const [what, code] of Object.entries(workers)) {
      it(`reaches a worker ${what}, ${flag.length === 1 ? 'loaded from code' : `through ${flag[0]}`}`, async () => {
        const load = flag.length === 1 ? `require(${JSON.stringify(path.join(entry, 'register.js'))});` : '';
        const text = `${load} const { Worker } = require('node:worker_threads'); const argv = [process.argv[2]]; ${code};`;
        writeFileSync(path.join(folder, 'starts.cjs'), text);
        assert.deepEqual(await factsOf(flag, ['starts.cjs']), requiredFacts);
      });
    }
  }

  it('may be loaded twice', async () => {
    assert.deepEqual(await factsOf(flags.flat(), ['required.cjs']), requiredFacts);
    assert.deepEqual(await factsOf(flags.flat(), ['imported.mjs']), importedFacts);
  });

  it('says that Express was loaded before it', async () => {
    writeFileSync(path.join(folder, 'agent.cjs'), "require('express');");
    for (const flag of flags) {
      const args = ['--require', path.join(folder, 'agent.cjs'), ...flag, path.join(folder, 'required.cjs'), index];
      const { stdout, stderr } = await run(process.execPath, args, { cwd: folder });
      assert.match(stderr, /^nonstop\/register: \S+express\.js was loaded earlier and is not replaced[^\n]*\n$/);
      assert.equal((JSON.parse(stdout) as Record<string, unknown>)['required'], false);
    }
  });

  it('is needed: without it the same programs get their own express', async () => {
    const facts = (await factsOf([], ['required.cjs'])) as Record<string, unknown>;
    assert.equal(facts['required'], false);
    assert.equal(facts['imported by the same file'], false);
  });
});
