import assert = require('node:assert/strict');
import { test } from 'node:test';
import { asking, runProgram } from '../support/run-program.js';

/*
 * Elastic APM takes the last of the arguments of `writeHead()` for the fields, and others count those of `end()`: a method that a program has put in
 * the place of node's gets what its caller gave.
 */

const program = `${asking}
const http = require('node:http');
const counts = [];
for (const [prototype, name] of [
  [http.ServerResponse.prototype, 'writeHead'],
  [http.OutgoingMessage.prototype, 'write'],
  [http.OutgoingMessage.prototype, 'end'],
]) {
  const original = prototype[name];
  prototype[name] = function () {
    // Clients of this process write too.
    if (this instanceof http.ServerResponse) counts.push(name + ' ' + arguments.length);
    return original.apply(this, arguments);
  };
}
const done = () => undefined;
const acts = [
  (res) => res.end(),
  (res) => res.end('x'),
  (res) => res.end('x', 'utf8'),
  (res) => res.end(done),
  (res) => res.end('x', done),
  (res) => { res.writeHead(200); res.end(); },
  (res) => { res.writeHead(200, { 'X-A': 'b' }); res.write('x'); res.write('x', 'utf8'); res.write('x', 'utf8', done); res.end(); },
  (res) => { res.writeHead(200, 'Fine', { 'X-A': 'b' }); res.write('x', done); res.end('y'); },
  (res) => { res.writeHead(200, ['X-A', 'b']); res.end(null); },
  (res) => { res.writeHead(200, undefined); res.write('x', undefined); res.end('x', undefined, undefined); },
  (res) => { res.writeHead(200, undefined, undefined); res.end(undefined); },
];
(async () => {
  const found = [];
  for (const module of [http, require('nonstop/http')]) {
    for (const act of acts) {
      counts.length = 0;
      const server = module.createServer((req, res) => act(res));
      await ask(server);
      server.close();
      found.push(counts.join(', '));
    }
  }
  console.log(JSON.stringify(found));
})();`;

test('a method of node that a program has replaced gets as many arguments as its caller gave', async () => {
  const { stdout } = await runProgram({ text: program });
  const found = JSON.parse(stdout) as string[];
  const half = found.length / 2;
  assert.deepEqual(found.slice(half), found.slice(0, half));
  assert.equal(found[0], 'end 0, writeHead 1');
});
