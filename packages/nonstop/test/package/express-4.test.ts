import assert = require('node:assert/strict');
import { execFile } from 'node:child_process';
import fs = require('node:fs');
import os = require('node:os');
import path = require('node:path');
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { inPackage, inRepo } from '../support/paths.js';

const run = promisify(execFile);

interface PackModule {
  packOf4(folder: string, version?: string): Promise<string>;
  installTarball(tarball: string, name?: string): Promise<string>;
  lintTarball(tarball: string): Promise<void>;
}

interface FolderModule {
  versionOf4(version: string): string;
}

const script = async <T>(name: string): Promise<T> =>
  (await import(pathToFileURL(inRepo('scripts', 'lib', name)).href)) as T;

const program = `
  const express = require('express');
  const app = express();
  app.get('/hello/:name(\\\\w+)', (req, res) => res.send(201, 'Hello ' + req.params.name));
  app.get('*', (req, res) => res.send(404));
  const server = app.listen(0, '127.0.0.1', async () => {
    const answers = [];
    for (const target of ['/hello/world', '/none']) {
      const answer = await fetch('http://127.0.0.1:' + server.address().port + target);
      answers.push([answer.status, await answer.text()]);
    }
    console.log(JSON.stringify({
      answers,
      engine: require('express/http').isAccelerated(server),
      same: [require('express/v4') === express, require('express/lib/response') === express.response,
        require('express/lib/router/layer.js') === require('express/v4/lib/router/layer'), (await import('express')).default === express],
      version: require('express/package.json').version,
    }));
    server.close();
    server.closeAllConnections();
  });`;

describe('nonstop@4, built from the same sources', () => {
  const work = fs.mkdtempSync(path.join(os.tmpdir(), 'nonstop-4-'));
  let tarball = '';
  let consumer = '';
  before(async () => {
    assert.ok(fs.existsSync(inPackage('dist/entry/v4.js')), 'dist/ is not built: npm run build');
    const { packOf4, installTarball } = await script<PackModule>('pack.mjs');
    tarball = await packOf4(work);
    consumer = await installTarball(tarball, 'express');
  });
  after(() => {
    for (const folder of [work, consumer]) fs.rmSync(folder, { recursive: true, force: true });
  });

  test('under the name express it behaves as Express 4, on the engine', async () => {
    const { stdout } = await run(process.execPath, ['-e', program], {
      cwd: consumer,
      env: { ...process.env, NO_DEPRECATION: '*' },
    });
    const { version, ...seen } = JSON.parse(stdout) as { version: string };
    assert.deepEqual(seen, {
      answers: [
        [201, 'Hello world'],
        [404, 'Not Found'],
      ],
      engine: true,
      same: [true, true, true, true],
    });
    assert.match(version, /^4\.22\.\d+/);
  });

  test('its entries resolve and its types fit', async () => {
    const { lintTarball } = await script<PackModule>('pack.mjs');
    await lintTarball(tarball);
  });

  test('its version is derived from that of nonstop@5, so that a later one is higher', async () => {
    const { versionOf4 } = await script<FolderModule>('package-folder.mjs');
    assert.deepEqual(['5.0.0', '5.0.7', '5.1.0', '5.12.34', '5.0.0-alpha.3'].map(versionOf4), [
      '4.22.0',
      '4.22.7',
      '4.22.100',
      '4.22.1234',
      '4.22.0-alpha.3',
    ]);
    assert.throws(() => versionOf4('6.0.0'), /'6.0.0' is not a version such as/);
  });
});
