import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { runProgram } from '../support/run-program.js';
import { subject } from '../support/subject.js';

// Ticks run between a body and the end of its message, in the middle of a read. An error thrown there is uncaught, as
// anywhere, and must damage neither the process nor the connection. (With node:http on Node 20 the connection hangs.)

const THROWING = `
  const http = require(process.argv[1]);
  const net = require('node:net');
  const said = [];
  process.on('uncaughtException', (error) => said.push('uncaught ' + error.message));
  const server = http.createServer((req, res) => {
    said.push('handled ' + req.url);
    if (req.url !== '/last') process.nextTick(() => { throw new Error(req.url); });
    req.on('data', () => {}).on('end', () => res.end('answer to ' + req.url));
  });
  server.listen(0, '127.0.0.1', () => {
    const client = net.connect(server.address().port, '127.0.0.1');
    let received = '';
    client.on('data', (data) => {
      received += data;
      if (received.includes('answer to /last')) {
        console.log(JSON.stringify({ said: said.sort(), answers: received.match(/answer to \\/(one|two|three|last)/g) }));
        process.exit();
      }
    });
    const post = (path) => 'POST ' + path + ' HTTP/1.1\\r\\nHost: a\\r\\nContent-Length: 4\\r\\n\\r\\nbody';
    client.write(post('/one') + post('/two') + post('/three') + post('/last'));
  });
`;

test('an error that a tick throws during a read is uncaught once, and everything continues', async () => {
  const { stdout, stderr } = await runProgram({ text: THROWING, args: [`${subject}/http.js`] });
  const uncaught = ['/one', '/three', '/two'].map((path) => `uncaught ${path}`);
  const handled = ['/last', '/one', '/three', '/two'].map((path) => `handled ${path}`);
  const { said, answers } = JSON.parse(stdout) as { said: string[]; answers: string[] };
  assert.deepEqual(said, [...handled, ...uncaught]);
  assert.deepEqual(answers.length, 4);
  assert.equal(stderr, '');
});
