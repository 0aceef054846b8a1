import assert = require('node:assert/strict');
import { describe, test } from 'node:test';
import { compiled } from '../support/paths.js';
import { runProgram } from '../support/run-program.js';

const HTTP = JSON.stringify(compiled('src', 'entry', 'http.js'));
const EXPRESS = JSON.stringify(compiled('src', 'entry', 'index.js'));

/** Serves one request on a server of node's that Nonstop may take over, and closes it. */
const serves = (freeze: string, when: 'before' | 'after'): string => `
  const http = require('node:http');
  const net = require('node:net');
  // Made on first use: node itself writes methods to them.
  void [process.stdout, process.stderr];
  ${when === 'before' ? freeze : ''}
  const express = require(${EXPRESS});
  const { isAccelerated } = require(${HTTP});
  ${when === 'after' ? freeze : ''}
  const app = express();
  app.use((req, res) => req.resume().on('end', () => res.send('served')));
  const server = app.listen(0, '127.0.0.1', async () => {
    const answer = await fetch('http://127.0.0.1:' + server.address().port, { method: 'POST', body: 'x' });
    console.log(await answer.text(), isAccelerated(server));
    server.close(() => console.log('closed'));
    server.closeAllConnections();
  });
`;

describe('a program that has frozen', () => {
  const cases: readonly (readonly [what: string, when: 'before' | 'after', onEngine: boolean])[] = [
    ['net.Socket.prototype', 'before', true],
    ['net.Socket.prototype', 'after', true],
    ['http.IncomingMessage.prototype', 'before', false],
    ['http.IncomingMessage.prototype', 'after', false],
    ['http.OutgoingMessage.prototype', 'before', false],
    ['http.OutgoingMessage.prototype', 'after', false],
    ['http.Server.prototype', 'before', false],
    ['http.Server.prototype', 'after', true],
  ];
  for (const [what, when, onEngine] of cases) {
    test(`${what} ${when} Nonstop is loaded is served by ${onEngine ? 'the engine' : 'node'}`, async () => {
      const { stdout, stderr } = await runProgram({ text: serves(`Object.freeze(${what});`, when) });
      assert.equal(stdout, `served ${onEngine}\nclosed\n`, stderr);
    });
  }
});

// Packages that are loaded late need `Error` as it was: the request fails, and the process stays.
test('a body with an error does not end a process that has frozen Error', async () => {
  const text = `
    const express = require(${EXPRESS});
    Object.freeze(Error);
    const app = express();
    app.use(express.json());
    app.post('/', (req, res) => res.send('parsed'));
    const server = app.listen(0, '127.0.0.1', async () => {
      const statuses = [];
      for (const body of ['{', '[1]']) {
        const headers = { 'Content-Type': 'application/json' };
        const answer = await fetch('http://127.0.0.1:' + server.address().port, { method: 'POST', body, headers });
        statuses.push(answer.status);
      }
      console.log(statuses.join());
      process.exit();
    });
  `;
  assert.equal((await runProgram({ text })).stdout, '500,200\n');
});
