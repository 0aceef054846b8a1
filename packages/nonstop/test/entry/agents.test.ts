import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { folder } from '../support/folder.js';
import { inRepo } from '../support/paths.js';

const run = promisify(execFile);
const entry = path.resolve(__dirname, '../../src/entry');
const register = path.join(entry, 'register.js');
const everyServer = path.join(entry, 'http/register.js');

/** Works as `require-in-the-middle` does: it is called for each loaded module, with the file's path. */
const hears = `
  const Module = require('node:module');
  const { require: load } = Module.prototype;
  const heard = (global.heard = new Set());
  Module.prototype.require = function (name) {
    const exported = load.call(this, name);
    const [, file] = /[\\\\/]node_modules[\\\\/]((?:express4?|router)[\\\\/].+)$/.exec(Module._resolveFilename(name, this)) ?? [];
    if (file) heard.add(file.replaceAll('\\\\', '/'));
    return exported;
  };`;

/** Works as agents that rewrite source do: finds a function by its name and adds a call at its start. */
const rewrites = `
  const Module = require('node:module');
  const { _compile: compile } = Module.prototype;
  const seen = (global.seen = []);
  Module.prototype._compile = function (text, file, ...rest) {
    const changed = /(?:router[\\\\/](?:index|layer|lib[\\\\/]layer)|response)\\.js$/.test(file)
      ? text.replace(/\\.(handleRequest|handle_request|handleError|handle_error|use|route|param|render)\\s*=\\s*function \\w+\\s*\\(.*?\\) \\{/g,
        (found, name) => found + ' global.seen.push("' + name + '"); ')
      : text;
    return compile.call(this, changed, file, ...rest);
  };`;

/** All that the entries load: one file where Nonstop is published, which is loaded by any entry. */
const loadsAll = `
  for (const name of ['bundle', 'bundle-v4']) {
    try { require(${JSON.stringify(`${entry}/`)} + name + '.js'); } catch (error) { if (error.code !== 'MODULE_NOT_FOUND') throw error; }
  }
  require(${JSON.stringify(everyServer)});`;

/** Waits for `http` as agents do: they change it when a module asks for it next, even if node has loaded it. */
const waits = `
  const Module = require('node:module');
  const { require: load } = Module.prototype;
  Module.prototype.require = function (name) {
    global.asked ||= /^(?:node:)?http$/.test(name);
    return load.call(this, name);
  };`;

const program = `
  const express = require('express');
  const app = express();
  app.engine('txt', (file, options, callback) => callback(null, 'view'));
  app.set('views', __dirname).set('view engine', 'txt');
  app.use((req, res, next) => next());
  app.param('id', (req, res, next) => next());
  app.get('/', (req, res, next) => next(new Error('answered below')));
  app.use((error, req, res, next) => res.render('page'));
  const server = app.listen(0, '127.0.0.1', async () => {
    const answer = await fetch('http://127.0.0.1:' + server.address().port);
    const body = await answer.text();
    const byEngine = server.listeners('connection').every(({ name }) => name !== 'connectionListener');
    server.close();
    server.closeAllConnections();
    console.log(JSON.stringify({ body, byEngine, heard: [...(global.heard ?? [])], seen: global.seen, asked: global.asked, plain: isPlain() }));
  });
  const isPlain = () => {
    const [layer] = express.Router().use(() => {}).stack;
    return !/forwarding/.test(String(layer.handle_request ?? layer.handleRequest));
  };`;

interface Facts {
  readonly body: string;
  readonly byEngine: boolean;
  readonly heard: readonly string[];
  readonly seen?: readonly string[];
  readonly asked?: boolean;
  readonly plain: boolean;
}

const files = {
  'program.cjs': program,
  'page.txt': '',
  'hears.cjs': hears,
  'rewrites.cjs': rewrites,
  'waits.cjs': waits,
  'loads-all.cjs': loadsAll,
};
const root = folder(
  Object.fromEntries(
    [4, 5].flatMap((version) => Object.entries(files).map(([name, text]) => [`${version}/${name}`, text])),
  ),
);

async function play(version: number, ...required: readonly string[]): Promise<Facts> {
  const cwd = path.join(root, String(version));
  const flags = required.flatMap((name) => ['--require', name]);
  const { stdout, stderr } = await run(process.execPath, [...flags, path.join(cwd, 'program.cjs')], { cwd });
  assert.equal(stderr, '');
  return JSON.parse(stdout) as Facts;
}

/** The modules that agents wait for, and the methods that they rewrite. */
const versions = [
  {
    version: 5,
    installed: 'express',
    modules: [
      'express/index.js',
      'express/lib/express.js',
      'express/lib/application.js',
      'express/lib/request.js',
      'express/lib/response.js',
      'express/lib/view.js',
      'router/index.js',
      'router/lib/layer.js',
      'router/lib/route.js',
    ],
    methods: ['use', 'route', 'param', 'handleRequest', 'handleError', 'render'],
  },
  {
    version: 4,
    installed: 'express4',
    modules: [
      'express4/index.js',
      'express4/lib/express.js',
      'express4/lib/application.js',
      'express4/lib/middleware/query.js',
      'express4/lib/request.js',
      'express4/lib/response.js',
      'express4/lib/view.js',
      'express4/lib/router/index.js',
      'express4/lib/router/layer.js',
      'express4/lib/router/route.js',
      'express4/node_modules/path-to-regexp/index.js',
    ],
    methods: ['use', 'route', 'param', 'handle_request', 'handle_error', 'render'],
  },
];

for (const { version, installed, modules, methods } of versions) {
  describe(`an agent that was made for Express ${version}, with nonstop/register`, () => {
    before(() => {
      mkdirSync(path.join(root, `${version}/node_modules`));
      const place = path.join(root, `${version}/node_modules/express`);
      symlinkSync(inRepo('node_modules', installed), place, 'junction');
    });

    test('sees the modules that Express loads, at their paths', async () => {
      const { heard, ...facts } = await play(version, './hears.cjs', register);
      assert.deepEqual(facts, { body: 'view', byEngine: true, plain: true });
      assert.deepEqual([...heard].sort(), [...modules].sort());
      const ofExpress = new Set((await play(version, './hears.cjs')).heard);
      assert.deepEqual(
        modules.filter((file) => !ofExpress.has(file)),
        [],
      );
    });

    test('that comes after all of Nonstop was loaded sees that the application loads http', async () => {
      const facts = await play(version, register, './loads-all.cjs', './waits.cjs');
      assert.deepEqual(facts, { body: 'view', byEngine: true, heard: [], asked: true, plain: true });
    });

    for (const order of [
      ['./rewrites.cjs', register],
      [register, './rewrites.cjs'],
    ]) {
      test(`may rewrite them, loaded ${order[0] === register ? 'after' : 'before'} it`, async () => {
        const facts = await play(version, ...order);
        const { seen } = await play(version, './rewrites.cjs');
        assert.deepEqual(facts, { body: 'view', byEngine: true, heard: [], seen, plain: false });
        assert.deepEqual(new Set(seen), new Set(methods));
      });
    }
  });
}

for (const name of ['index.js', 'v4.js', 'http.js']) {
  test(`an agent that comes after Nonstop was loaded sees that ${name} loads http`, async () => {
    const wanted = JSON.stringify(path.join(entry, name));
    const program = `${loadsAll} ${waits} require(${wanted}); console.log(global.asked);`;
    assert.equal((await run(process.execPath, ['-e', program])).stdout, 'true\n');
  });
}
