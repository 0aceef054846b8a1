import assert = require('node:assert/strict');
import { test } from 'node:test';
import { compiled } from '../support/paths.js';
import { runProgram } from '../support/run-program.js';

const loaded = JSON.stringify(compiled('src/node/shared-listening.js'));

/** A supervisor with one worker; the worker reports its port, and the supervisor connects. */
const PROGRAM = `
  const cluster = require('node:cluster'), net = require('node:net');
  if (cluster.isPrimary) {
    const started = performance.now();
    new (require(${loaded}).SharedConnections)().waited = (since) => {
      console.log('waited', since >= started && since <= performance.now());
      worker.kill();
      client.destroy();
    };
    let client;
    cluster.setupPrimary({ exec: process.argv[1] });
    const worker = cluster.fork();
    worker.on('message', (port) => (client = net.connect(port, '127.0.0.1').on('error', () => {})));
  } else {
    const server = net.createServer(() => {}).listen(0, '127.0.0.1', () => process.send(server.address().port));
  }
`;

test('a connection that a worker has accepted is reported', async () => {
  const fs = await import('node:fs');
  const path = await import('node:path');
  const os = await import('node:os');
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'nonstop-'));
  try {
    const file = path.join(folder, 'program.js');
    fs.writeFileSync(file, PROGRAM);
    const text = `process.argv[1] = ${JSON.stringify(file)}; require(${JSON.stringify(file)});`;
    const { stdout } = await runProgram({ text });
    assert.equal(stdout, 'waited true\n');
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
});

test('the handle of a server that the process keeps for itself is left alone', async () => {
  const text = `
    const net = require('node:net');
    new (require(${loaded}).SharedConnections)().waited = () => console.log('waited');
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const { onconnection } = server._handle;
      setImmediate(() => {
        console.log(server._handle.onconnection === onconnection);
        server.close();
      });
    });
  `;
  const { stdout } = await runProgram({ text });
  assert.equal(stdout, 'true\n');
});

test('a handle that is listened to in another way is left alone', async () => {
  const text = `
    const net = require('node:net');
    new (require(${loaded}).SharedConnections)().waited = () => console.log('waited');
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const handle = server._handle;
      // As node:cluster takes it, but connections are not reported by onconnection.
      server._handle = null;
      handle.onconnection = undefined;
      setImmediate(() => {
        console.log(typeof handle.onconnection);
        handle.close();
      });
    });
  `;
  const { stdout } = await runProgram({ text });
  assert.equal(stdout, 'undefined\n');
});
