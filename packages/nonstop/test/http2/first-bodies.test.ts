import assert = require('node:assert/strict');
import { test } from 'node:test';
import { runProgram } from '../support/run-program.js';
import { subject } from '../support/subject.js';

// How node ends a stream is learned when the first one ends. It may be destroyed by then.

const PROGRAM = `
  const http2 = require('node:http2');
  const [package] = process.argv.slice(1);
  const said = [];
  process.on('uncaughtException', (error) => said.push('uncaught ' + error.message));
  const server = require(package + '/http2.js').createServer((req, res) => {
    req.on('end', () => said.push('end')).on('aborted', () => said.push('aborted')).on('error', () => undefined);
    res.on('close', () => said.push('closed'));
    res.write('an ');
    res.end('answer');
    req.once('data', () => req.stream.destroy());
  });
  server.listen(0, '127.0.0.1', () => {
    const client = http2.connect('http://127.0.0.1:' + server.address().port);
    const request = client.request({ ':method': 'POST' });
    request.on('error', () => undefined).resume().end('body').on('close', () => {
      client.close();
      server.close(() => console.log(said.join()));
    });
  });
`;

test('a stream that is destroyed after its answer, while the first body of a process is read, is an aborted request', async () => {
  const { stdout, stderr } = await runProgram({ text: PROGRAM, args: [subject] });
  assert.deepEqual([stdout.trim(), stderr], ['aborted,closed', '']);
});
