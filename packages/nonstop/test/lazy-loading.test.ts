import assert = require('node:assert/strict');
import { execFile } from 'node:child_process';
import path = require('node:path');
import { test } from 'node:test';
import { promisify } from 'node:util';
import { compiled, inPackage, inRepo } from './support/paths.js';

/** Serves one hello world in a separate process. @returns the modules that were loaded by then */
const program = `
  const http = require('node:http');
  const nonstop = require(process.argv[1]);
  const app = nonstop();
  app.get('/', (req, res) => { res.send('Hello World!'); });
  const server = app.listen(0, '127.0.0.1', () => {
    http.get({ host: '127.0.0.1', port: server.address().port, agent: false }, (answer) => {
      let body = '';
      answer.on('data', (chunk) => (body += chunk)).on('end', () => {
        server.close();
        process.stdout.write(JSON.stringify({ body, loaded: Object.keys(require.cache), parts: process.moduleLoadList }));
      });
    });
  });
`;

const entries = ['entry/index.js', 'entry/v4.js'].flatMap((name) => [compiled('src', name), inPackage('dist', name)]);

for (const entry of entries) {
  const file = path.relative(inRepo(), entry);
  test(`a hello world on ${file} loads no package, and no large module of node`, async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', program, entry]);
    const { body, loaded, parts }: { body: string; loaded: string[]; parts: string[] } = JSON.parse(stdout);
    assert.equal(body, 'Hello World!');
    assert.ok(loaded.includes(entry), 'the list of loaded modules does not hold the entry');
    const packages = loaded
      .map((file) => path.relative(inRepo(), file).split(path.sep))
      .filter(([place]) => place === 'node_modules')
      .map(([, name]) => name);
    // Loading send, qs, iconv-lite, mime-db and others would slow down every start, so they are loaded on first
    // use.
    assert.deepEqual([...new Set(packages)], []);
    // Of the two Express dialects only the one in use is loaded.
    if (!file.endsWith('v4.js')) assert.deepEqual(ofExpress4(loaded), []);
    else assert.notEqual(ofExpress4(loaded).length, 0);
    // Each of these costs memory in every process: crypto 1 to 2.5 MB.
    assert.ok(parts.includes('NativeModule http'), 'the list of the parts of node does not hold http');
    const large = ['crypto', 'tls', 'https', 'http2', 'zlib', 'worker_threads'];
    assert.deepEqual(
      large.filter((part) => parts.includes(`NativeModule ${part}`)),
      [],
    );
  });
}

const ofExpress4 = (files: readonly string[]): string[] =>
  files.map((file) => path.relative(inRepo(), file)).filter((file) => /[\\/](?:v4[\\/]|v4\.js$)/.test(file));
