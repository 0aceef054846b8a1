import assert = require('node:assert/strict');
import { execFile } from 'node:child_process';
import path = require('node:path');
import { test } from 'node:test';
import { promisify } from 'node:util';
import { subject } from '../support/subject.js';

const inOldNode = `
  const versions = { ...process.versions, node: '18.20.8' };
  Object.defineProperty(process, 'versions', { value: versions });
  Object.defineProperty(process, 'version', { value: 'v18.20.8' });
  const http = require(process.argv[1]);
  const server = http.createServer();
  console.log(JSON.stringify([http.accelerate(server), http.explainAcceleration(server)]));
`;

test('a Node older than 20.19.2 serves with node:http, and one warning says so', async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [
    '-e',
    inOldNode,
    path.join(subject, 'http.js'),
  ]);
  assert.deepEqual(JSON.parse(stdout), [false, { accelerated: false, reason: 'old-node' }]);
  assert.equal(
    stderr.match(/\[NONSTOP_OLD_NODE\] Warning: Nonstop supports Node 20\.19\.2 and newer; this is v18\.20\.8/g)
      ?.length,
    1,
  );
});

const decides = `
  const http = require(process.argv[1]);
  const server = http.createServer();
  console.log(JSON.stringify([http.accelerate(server), http.explainAcceleration(server)]));
`;

for (const name of ['bun', 'deno']) {
  test(`if process.versions has ${name}, its own HTTP server serves`, async () => {
    const inIt = `Object.defineProperty(process, 'versions', { value: { ...process.versions, ${name}: '1.0.0' } }); ${decides}`;
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', inIt, path.join(subject, 'http.js')]);
    assert.deepEqual(JSON.parse(stdout), [false, { accelerated: false, reason: 'other-runtime' }]);
  });
}

test('the engine serves if node:domain was loaded before it, as ts-node does', async () => {
  const inIt = `require('node:domain'); ${decides}`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', inIt, path.join(subject, 'http.js')]);
  assert.deepEqual(JSON.parse(stdout), [true, { accelerated: true }]);
});
