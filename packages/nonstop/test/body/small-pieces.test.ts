import assert = require('node:assert/strict');
import { test } from 'node:test';
import path = require('node:path');
import { runProgram } from '../support/run-program.js';
import { subject } from '../support/subject.js';

/** Prints how many octets of the heap an unfinished body takes for each of its own, in pieces of one octet, and which engine has read it. */
const program = `
  const [file, parser, way, thousands] = process.argv.slice(1);
  const express = require(file);
  const app = express();
  let body;
  app.use((req, res, next) => {
    body = req;
    next();
  });
  app.post('/', express[parser]({ type: 'x/y', limit: '1mb' }));
  const used = () => {
    gc();
    return process.memoryUsage().heapUsed;
  };
  const turn = () => new Promise((done) => setImmediate(done));
  const settled = async () => {
    for (let i = 0; i < 50; i++) await turn();
    return used();
  };
  async function overHttp1() {
    const server = app.listen(0, '127.0.0.1');
    const client = require('node:net').connect((await new Promise((done) => server.once('listening', () => done(server.address())))).port);
    client.write('POST / HTTP/1.1\\r\\nHost: a\\r\\nContent-Type: x/y\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n');
    return () => new Promise((done) => client.write('1\\r\\n \\r\\n'.repeat(1000), done));
  }
  async function overHttp2() {
    const http2 = require('node:http2');
    const server = http2.createServer(app).listen(0, '127.0.0.1');
    const { port } = await new Promise((done) => server.once('listening', () => done(server.address())));
    const stream = http2.connect('http://127.0.0.1:' + port).request({ ':method': 'POST', ':path': '/', 'content-type': 'x/y' });
    return async () => {
      for (let i = 0; i < 1000; i++) await new Promise((done) => stream.write(' ', done));
    };
  }
  (async () => {
    const send = await (way === 'HTTP/2' ? overHttp2 : overHttp1)();
    for (let i = 0; i < 3; i++) await send();
    const before = await settled();
    for (let i = 0; i < thousands; i++) await send();
    const isOurs = Object.getOwnPropertySymbols(body).some(({ description }) => /^nonstop\\.(connection|stream)$/.test(description));
    console.log((await settled() - before) / (thousands * 1000), body.complete, isOurs ? 'engine' : 'node:http');
    process.exit();
  })();
`;

interface Asked {
  readonly file: string;
  readonly parser: string;
  readonly way?: string;
  readonly by?: string;
  /** How many thousands of octets are sent. */
  readonly thousands?: number;
}

async function heapPerOctet({ file, parser, way = 'HTTP/1', by = 'engine', thousands = 30 }: Asked): Promise<number> {
  const { stdout } = await runProgram({
    text: program,
    flags: ['--expose-gc'],
    args: [file, parser, way, String(thousands)],
    env: { NONSTOP_ENGINE: by === 'engine' ? '' : 'node' },
  });
  const [octets, ...rest] = stdout.trim().split(' ');
  assert.deepEqual(rest, ['false', by]);
  return Number(octets);
}

const file = path.join(subject, 'index.js');

for (const parser of ['json', 'urlencoded', 'text', 'raw']) {
  test(`a body in pieces of one octet takes no more memory of ${parser}() than of Express's, on both engines`, async () => {
    const theirs = await heapPerOctet({ file: 'express', parser, by: 'node:http' });
    for (const by of ['engine', 'node:http']) {
      const ours = await heapPerOctet({ file, parser, by });
      assert.ok(ours < Math.max(theirs, 20), `${ours} octets for each on ${by}, ${theirs} with Express`);
    }
  });
}

test('a body in pieces of one octet takes little memory over HTTP/2', async () => {
  const octets = await heapPerOctet({ file, parser: 'json', way: 'HTTP/2', thousands: 90 });
  // Of 30,000 octets the 600 kB that the process takes once would be 20 for each.
  assert.ok(octets < 40, `${octets} octets for each`);
});
