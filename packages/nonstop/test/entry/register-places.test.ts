import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { folder } from '../support/folder.js';
import { inRepo } from '../support/paths.js';

// What an installed Express finds from its own folder. The same programs run on Express and, with nonstop/register, on Nonstop.

const run = promisify(execFile);
const register = pathToFileURL(path.resolve(__dirname, '../../src/entry/register.mjs')).href;

const engine = (name: string, text: string): Record<string, string> => ({
  [`node_modules/${name}/index.js`]: text,
});
const rendering = (text: string): string => `exports.__express = (file, options, done) => done(null, '${text}');`;

/** Renders views, and tells the text or the whole error. */
const views = `
  const app = express();
  app.set('views', __dirname);
  let left = 0;
  for (const name of ['page.here', 'page.there', 'page.lacks', 'page.odd', 'page.debug', 'page.missing']) {
    left++;
    const tell = (what) => { console.log(name, what); };
    try {
      app.render(name, {}, (error, text) => tell(error?.message ?? text));
    } catch (error) {
      tell(error.code + ' ' + error.message);
    }
  }`;

/** Adds types in each way that send's and mime's own pages show, and asks for files of these types. */
const types = `
  const http = require('node:http');
  const { createRequire } = require('node:module');
  const send = require('send');
  const mime = require('mime');
  console.log(express.static.mime === mime, send.mime === mime);
  mime.define({ 'model/x-mine': ['mine'] });
  send.mime.define({ 'model/x-other': ['other'], 'text/x-page': ['html'] });
  const app = express();
  app.use(express.static(__dirname));
  app.get('/type/:name', (req, res) => res.type(req.params.name).end());
  app.get('/file/:name', (req, res) => res.sendFile(__dirname + '/a.' + req.params.name));
  app.get('/piped/:name', (req, res) => res.sendFile(__dirname + '/a.' + req.params.name, () => {}));
  const server = app.listen(0, '127.0.0.1', async () => {
    for (const type of ['text/x-default', undefined]) {
      mime.default_type = type;
      for (const name of ['mine', 'other', 'html', 'unknown'])
        for (const path of ['/a.' + name, '/file/' + name, '/piped/' + name, ...(type ? ['/type/' + name] : [])]) {
          const answer = await fetch('http://127.0.0.1:' + server.address().port + path);
          console.log(path, answer.status, answer.headers.get('content-type'));
        }
    }
    server.close();
    server.closeAllConnections();
  });`;

const commonJs = (text: string): string => `const express = require('express');${text}`;
const esModule = (text: string): string =>
  `import express from 'express'; import { createRequire } from 'node:module'; import { fileURLToPath } from 'node:url';
   const require = createRequire(import.meta.url); const __dirname = fileURLToPath(new URL('.', import.meta.url)).slice(0, -1);
   ${text.replace("const { createRequire } = require('node:module');", '')}`;

const pages = Object.fromEntries(
  ['here', 'there', 'lacks', 'odd', 'debug', 'missing'].map((name) => [`page.${name}`, '']),
);
const files = Object.fromEntries(['mine', 'other', 'html', 'unknown'].map((name) => [`a.${name}`, name]));

const root = folder(
  Object.fromEntries(
    [4, 5].flatMap((version) =>
      Object.entries({
        ...engine('here', rendering('by here')),
        ...engine('lacks', "require('not-installed');"),
        ...engine('odd', 'exports.render = () => undefined;'),
        ...pages,
        ...files,
        'views.cjs': commonJs(views),
        'views.mjs': esModule(views),
        'types.cjs': commonJs(types),
        'types.mjs': esModule(types),
        // A second program of the process, whose Express is another one.
        'inner/views.cjs': `require('../views.cjs'); ${commonJs(views.replace('__dirname', "__dirname + '/..'"))}`,
        ...Object.fromEntries(
          Object.entries(engine('there', rendering('by there'))).map(([name, text]) => [`inner/${name}`, text]),
        ),
      }).map(([name, text]) => [`${version}/${name}`, text]),
    ),
  ),
);
for (const [version, installed] of [
  [4, 'express4'],
  [5, 'express'],
] as const) {
  const modules = path.join(root, String(version), 'node_modules');
  for (const place of [modules, path.join(root, String(version), 'inner/node_modules')])
    cpSync(inRepo('node_modules', installed), path.join(place, 'express'), { recursive: true });
  // Beside Express, as npm installs it: what a program requires is what Express has.
  if (version === 4) cpSync(inRepo('node_modules/express4/node_modules'), modules, { recursive: true });
}

/** @param flags of node; without them the program runs on Express */
async function play(version: number, file: string, flags: readonly string[]): Promise<readonly string[]> {
  // The other packages that Express needs are found there.
  const env = { ...process.env, NODE_PATH: inRepo('node_modules') };
  const { stdout } = await run(process.execPath, [...flags, path.join(root, String(version), file)], {
    cwd: root,
    env,
  });
  return stdout.trim().split('\n');
}

for (const version of [4, 5]) {
  describe(`nonstop/register in the place of Express ${version}`, () => {
    for (const file of ['views.cjs', 'views.mjs', ...(version === 4 ? ['types.cjs', 'types.mjs'] : [])]) {
      test(`${file} finds what it finds on Express`, async () => {
        const expected = await play(version, file, []);
        assert.match(
          expected.join('\n'),
          file.startsWith('views') ? /page\.here by here/ : /a\.mine 200 model\/x-mine/,
        );
        assert.deepEqual(await play(version, file, ['--import', register]), expected);
      });
    }

    test('a view engine of the second of two programs is found', async () => {
      const lines = await play(version, 'inner/views.cjs', ['--import', register]);
      assert.ok(lines.includes('page.there by there'), lines.join('\n'));
    });
  });
}

describe('where a program looks for Express by itself', () => {
  const express4 = {
    'package.json': JSON.stringify({ name: 'express', version: '4.22.0' }),
    'index.js': 'module.exports = 4;',
  };
  const root = folder({
    ...Object.fromEntries(Object.entries(express4).map(([name, text]) => [`app/node_modules/express/${name}`, text])),
    'tool/paths.cjs': `console.log(require.resolve('express', { paths: [require('path').resolve(__dirname, '../app')] }));`,
    'tool/index.cjs': `console.log(['express', 'express/index', 'express/index.js'].map((name) => require(name) === require('express')).join());`,
    'tool/index.mjs': `import one from 'express'; import other from 'express/index.js'; console.log(one === other);`,
  });
  const printed = async (name: string): Promise<string> =>
    (await run(process.execPath, ['--import', register, path.join(root, 'tool', name)])).stdout.trim();

  test('require.resolve() with paths finds the one that is installed there', async () => {
    const found = await printed('paths.cjs');
    assert.match(found, /app[\\/]node_modules[\\/]express[\\/]index\.js$/);
  });

  test('the file that express/index.js names is Express', async () => {
    assert.equal(await printed('index.cjs'), 'true,true,true');
    assert.equal(await printed('index.mjs'), 'true');
  });

  test('a closed stderr does not fail the program', async () => {
    const child = spawn(process.execPath, ['--import', register, path.join(root, 'tool', 'index.cjs')], {
      env: { ...process.env, NONSTOP_REGISTER: 'explain' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stderr.destroy();
    const [status] = (await once(child, 'exit')) as [number];
    assert.equal(status, 0);
  });
});
