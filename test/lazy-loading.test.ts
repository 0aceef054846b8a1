import assert = require('node:assert/strict');
import { execFile } from 'node:child_process';
import path = require('node:path');
import { test } from 'node:test';
import { promisify } from 'node:util';
import { inRepo } from './support/paths.js';

/** Packages and parts that a hello world has no use for; loading them costs every start of every application. */
const lazyPackages = ['body-parser', 'busboy', 'iconv-lite', 'mime-db', 'qs', 'raw-body', 'send', 'serve-static'];
const lazyParts = ['express/view', 'middleware/static', 'middleware/send-file'];

/** Serves one hello world in a process of its own and answers with what had been loaded by then. */
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
        process.stdout.write(JSON.stringify({ body, loaded: Object.keys(require.cache) }));
      });
    });
  });
`;

test('a hello world loads nothing that it does not use', async () => {
  const entry = inRepo('.build/src/entry/index.js');
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', program, entry]);
  const { body, loaded }: { body: string; loaded: string[] } = JSON.parse(stdout);
  assert.equal(body, 'Hello World!');
  assert.ok(loaded.includes(entry), 'the list of loaded modules does not hold the entry');
  const names = loaded.map((name) => path.relative(inRepo(), name).split(path.sep).join('/'));
  const inPackages = lazyPackages.filter((name) => names.some((file) => file.includes(`node_modules/${name}/`)));
  const ownParts = lazyParts.filter((part) => names.some((file) => file.startsWith(`.build/src/${part}`)));
  assert.deepEqual([...inPackages, ...ownParts], []);
});
