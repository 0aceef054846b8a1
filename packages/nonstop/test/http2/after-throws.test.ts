import assert = require('node:assert/strict');
import { test } from 'node:test';
import { runProgram } from '../support/run-program.js';
import { subject } from '../support/subject.js';

// A listener or a callback throws at the end of an answer, and the process goes on. The stream must end, otherwise its session, and close(),
// would wait for it for ever.

const PROGRAM = `
  const http2 = require(process.argv[1]);
  const [answer, size] = process.argv.slice(2);
  const said = [];
  process.on('uncaughtException', (error) => said.push(error.message));
  const fail = () => { throw new Error('thrown'); };
  const tell = () => { console.log(JSON.stringify(said)); process.exit(); };
  setTimeout(() => { said.push('still open'); tell(); }, 5_000);
  const body = 'x'.repeat(Number(size));
  const server = http2.createServer((req, res) => {
    if (answer === 'finish') res.on('finish', fail);
    if (answer === 'callback') res.end(body, fail);
    else res.end(body);
  });
  server.listen(0, '127.0.0.1', () => {
    const client = http2.connect('http://127.0.0.1:' + server.address().port);
    const request = client.request({ ':method': 'POST' });
    let length = 0;
    request.on('data', (data) => (length += data.length));
    request.on('close', () => {
      said.push(length);
      client.close();
      server.close(() => { said.push('closed'); tell(); });
    });
    request.end('body');
  });
`;

for (const [what, answer] of [
  ["a listener for 'finish'", 'finish'],
  ['the callback of end()', 'callback'],
]) {
  for (const size of [1, 300_000]) {
    for (const by of ['node:http2', `${subject}/http2.js`]) {
      test(`${by === 'node:http2' ? by : 'nonstop/http2'}: ${what} of an answer of ${size} octets throws, and the server closes`, async () => {
        const { stdout, stderr } = await runProgram({ text: PROGRAM, args: [by, answer, String(size)] });
        const said = (JSON.parse(stdout) as unknown[]).map(String);
        assert.deepEqual(said.toSorted(), [String(size), 'closed', 'thrown']);
        assert.equal(stderr, '');
      });
    }
  }
}
