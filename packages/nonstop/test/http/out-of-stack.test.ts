import assert = require('node:assert/strict');
import path = require('node:path');
import { test } from 'node:test';
import { asking, runProgram } from '../support/run-program.js';
import { subject } from '../support/subject.js';

/**
 * A handler that has called itself until the stack was full catches that, and calls `use` some frames further up: in some of these places
 * there is room for a part of what `use` calls. It prints how many programs ended in each way, and what nobody caught.
 */
const program = (use: string) => `${asking}
const http = require(process.argv[1]);
const use = (req, res) => { ${use} };
let frames;
const server = http.createServer((req, res) => {
  if (req.url === '/next') return res.end('next');
  const deeper = () => {
    let above;
    try { above = deeper(); } catch { above = 0; }
    if (above === frames) try { use(req, res); } catch {}
    return above + 1;
  };
  deeper();
  res.end('first');
});
const served = count(server);
const uncaught = [];
process.on('uncaughtException', (error) => uncaught.push(error.stack));
const first = 'POST / HTTP/1.1\\r\\nHost: a\\r\\nContent-Length: 5\\r\\n\\r\\nhe';
const next = 'llo' + 'GET /next HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n\\r\\n';
const talk = (port) => new Promise((done) => {
  let text = '';
  const client = net.connect(port, '127.0.0.1', () => client.write(first));
  client.on('data', (data) => {
    if (text === '') client.write(next);
    text += data;
  }).on('error', () => {}).on('close', () => done([...text.matchAll(/first|next/g)].join()));
});
(async () => {
  const port = await listening(server);
  const ends = {};
  // What is compiled at its first call needs more room for that: three calls with enough of it come first.
  for (let i = -3; i < 60; i++) {
    frames = i < 0 ? 5_000 : i;
    const end = await talk(port);
    ends[end] = (ends[end] ?? 0) + 1;
  }
  process.stdout.write(JSON.stringify({ ends, uncaught, served }));
  server.close();
})();`;

for (const use of [
  "req.on('data', () => {})",
  'req.resume()',
  'req.read()',
  'req.pause()',
  'req.destroyed',
  'req.headers',
  'req.rawHeaders',
  "res.setHeader('X-A', '1')",
]) {
  test(`a handler that has no stack left in ${use}, and catches that, answers: so does the next one of its connection`, async () => {
    const { stdout } = await runProgram({ text: program(use), args: [path.join(subject, 'http.js')] });
    const { ends, uncaught, served } = JSON.parse(stdout) as Record<string, unknown>;
    assert.deepEqual(uncaught, []);
    assert.deepEqual(ends, { 'first,next': 63 });
    assert.deepEqual(served, { engine: 126, node: 0 });
  });
}
