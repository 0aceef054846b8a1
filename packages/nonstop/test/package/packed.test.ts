import assert = require('node:assert/strict');
import { execFile } from 'node:child_process';
import fs = require('node:fs');
import path = require('node:path');
import { before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { packedConsumer } from '../support/packed-consumer.js';

const run = promisify(execFile);

/** Runs a program in the user's project and parses its output. */
async function inConsumer(folder: string, args: readonly string[]): Promise<unknown> {
  const { stdout } = await run(process.execPath, [...args], { cwd: folder });
  return JSON.parse(stdout);
}

/** Sends one GET to a server that the program has created, and prints the answer. */
const ask = `
  const ask = (server) => server.once('listening', () => {
    const { port } = server.address();
    require('node:http').get({ host: '127.0.0.1', port, path: '/hello/world', agent: false }, (answer) => {
      let body = '';
      answer.on('data', (chunk) => (body += chunk)).on('end', () => {
        server.close();
        const poweredBy = answer.headers['x-powered-by'];
        console.log(JSON.stringify({ status: answer.statusCode, type: answer.headers['content-type'], poweredBy, body }));
      });
    });
  });
`;
const route = `app.get('/hello/:name', (req, res) => { res.send('Hello ' + req.params.name); });`;
const answer = { status: 200, type: 'text/html; charset=utf-8', poweredBy: 'Express', body: 'Hello world' };

describe('the packed package, installed in an empty project', () => {
  let folder = '';
  before(async () => {
    folder = await packedConsumer();
  });

  test('require() gives an application that serves', async () => {
    const program = `${ask} const app = require('nonstop')(); ${route} ask(app.listen(0, '127.0.0.1'));`;
    assert.deepEqual(await inConsumer(folder, ['-e', program]), answer);
  });

  test('import gives an application that serves', async () => {
    const program = `
      import nonstop from 'nonstop'; import { createRequire } from 'node:module';
      const require = createRequire(import.meta.url);
      ${ask} const app = nonstop(); ${route} ask(app.listen(0, '127.0.0.1'));`;
    assert.deepEqual(await inConsumer(folder, ['--input-type=module', '-e', program]), answer);
  });

  test('nonstop/v4 behaves as Express 4, loaded by require or import', async () => {
    const old = `app.get('/hello/:name(\\\\w+)', (req, res) => { res.send('Hello ' + req.params.name); });`;
    const program = `${ask} const app = require('nonstop/v4')(); ${old} ask(app.listen(0, '127.0.0.1'));`;
    assert.deepEqual(await inConsumer(folder, ['-e', program]), answer);
    const both = `
      import nonstop, * as all from 'nonstop/v4'; import { createRequire } from 'node:module';
      const require = createRequire(import.meta.url);
      console.log(JSON.stringify([nonstop === require('nonstop/v4'), all.query === nonstop.query, nonstop === require('nonstop')]));`;
    assert.deepEqual(await inConsumer(folder, ['--input-type=module', '-e', both]), [true, true, false]);
  });

  test('the internal modules of Express 4 that packages use exist', async () => {
    const program = `
      const Layer = require('nonstop/v4/lib/router/layer'); const { Router } = require('nonstop/v4');
      const [layer] = Router().use(() => {}).stack;
      console.log(JSON.stringify([layer instanceof Layer, require('nonstop/v4/lib/router/layer.js') === Layer,
        require('nonstop/v4/lib/router') === Router, require('nonstop/v4/lib/router/index.js') === Router]));`;
    assert.deepEqual(await inConsumer(folder, ['-e', program]), [true, true, true, true]);
  });

  test('the internal modules of Express 5 exist, and import finds the names in them that node finds in Express', async () => {
    const program = `
      import nonstop from 'nonstop'; import response from 'nonstop/lib/response.js'; import View from 'nonstop/lib/view';
      import * as utils from 'nonstop/lib/utils.js'; import * as utils4 from 'nonstop/v4/lib/utils';
      import * as init from 'nonstop/v4/lib/middleware/init.js';
      const names = (module) => Object.keys(module).filter((name) => !['default', 'module.exports'].includes(name));
      console.log(JSON.stringify([response === nonstop.response, nonstop().get('view') === View,
        names(utils), names(utils4), names(init)]));`;
    const names = async (module: string): Promise<string[]> =>
      Object.keys((await import(module)) as object).filter((name) => !['default', 'module.exports'].includes(name));
    assert.deepEqual(await inConsumer(folder, ['--input-type=module', '-e', program]), [
      true,
      true,
      await names('express/lib/utils.js'),
      await names('express4/lib/utils.js'),
      await names('express4/lib/middleware/init.js'),
    ]);
  });

  test('import and require() give the same instance', async () => {
    const program = `
      import nonstop, * as all from 'nonstop'; import http, * as allHttp from 'nonstop/http';
      import { createRequire } from 'node:module';
      const require = createRequire(import.meta.url);
      console.log(JSON.stringify([
        nonstop === require('nonstop'), all.Router === require('nonstop').Router,
        allHttp.createServer === require('nonstop/http').createServer]));`;
    assert.deepEqual(await inConsumer(folder, ['--input-type=module', '-e', program]), [true, true, true]);
  });

  test('an application that imports express runs on it through nonstop/register', async () => {
    const program = `${ask} const app = require('express')(); ${route} ask(app.listen(0, '127.0.0.1'));`;
    fs.writeFileSync(path.join(folder, 'app.js'), program);
    assert.equal(fs.existsSync(path.join(folder, 'node_modules/express')), false);
    assert.deepEqual(await inConsumer(folder, ['--import', 'nonstop/register', 'app.js']), answer);
  });

  test('a program on node:http is served by the engine through nonstop/http/register', async () => {
    const program = `
      const http = require('node:http');
      const server = http.createServer((req, res) => res.end(String(require('nonstop/http').isAccelerated(server))));
      server.listen(0, '127.0.0.1', async () => {
        console.log(await (await fetch('http://127.0.0.1:' + server.address().port)).text());
        process.exit();
      });`;
    fs.writeFileSync(path.join(folder, 'server.js'), program);
    for (const flag of ['--import', '--require'])
      assert.equal(await inConsumer(folder, [flag, 'nonstop/http/register', 'server.js']), true);
  });

  test("installed as express, it loads modules at the paths of Express's, for agents", async () => {
    const place = path.join(folder, 'aliased/node_modules/express');
    fs.cpSync(path.join(folder, 'node_modules/nonstop'), place, { recursive: true });
    const program = `
      const Module = require('node:module');
      const { require: load } = Module.prototype;
      const heard = [];
      Module.prototype.require = function (name) {
        const file = Module._resolveFilename(name, this).split('node_modules').at(-1).replaceAll('\\\\', '/');
        if (/^.(express.(index|lib)|router)/.test(file)) heard.push(file);
        return load.call(this, name);
      };
      const express = require('express');
      console.log(JSON.stringify([heard.sort(), express === require('express/lib/express'), express.Router === require('express').Router]));`;
    fs.writeFileSync(path.join(folder, 'aliased/app.js'), program);
    assert.deepEqual(await inConsumer(folder, ['aliased/app.js']), [
      [
        '/express/lib/application.js',
        '/express/lib/express.js',
        '/express/lib/request.js',
        '/express/lib/response.js',
        '/router/index.js',
        '/router/lib/layer.js',
        '/router/lib/route.js',
      ],
      true,
      true,
    ]);
  });

  test('its version and engines can be read, as by tools', async () => {
    const manifest = await inConsumer(folder, ['-p', `JSON.stringify(require('nonstop/package.json'))`]);
    const { name, version, engines } = manifest as { name: string; version: string; engines: object };
    assert.deepEqual(
      { name, major: version.split('.')[0], engines },
      { name: 'nonstop', major: '5', engines: { node: '>=20.19' } },
    );
  });

  test('it holds the compiled code, its source map, its types, its licence and its readme, and nothing else', () => {
    const home = path.join(folder, 'node_modules/nonstop');
    const names = fs
      .readdirSync(home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(home, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'));
    const wrong = names.filter(
      (name) =>
        !/^(dist\/.+\.(js|mjs|d\.ts|d\.mts)|dist\/\w+\.js\.map|dist\/node_modules\/router\/package\.json|lib\/\w+\.js|package\.json|LICENSE|README\.md)$/.test(
          name,
        ),
    );
    assert.deepEqual(wrong, []);
    for (const name of ['LICENSE', 'README.md', 'package.json', 'dist/entry/index.js'])
      assert.ok(names.includes(name), name);
  });
});
