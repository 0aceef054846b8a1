import assert = require('node:assert/strict');
import { test } from 'node:test';
import path = require('node:path');
import { runProgram } from '../support/run-program.js';
import { subject } from '../support/subject.js';

const SENT = 30_000;

/** Prints how many octets of the heap an unfinished body takes for each of its own, in pieces of one octet. */
const program = `
  const [file, parser, way] = process.argv.slice(1);
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
    const server = require('node:http').createServer(app).listen(0, '127.0.0.1');
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
    for (let i = 0; i < ${SENT / 1000}; i++) await send();
    console.log((await settled() - before) / ${SENT}, body.complete);
    process.exit();
  })();
`;

async function heapPerOctet(file: string, parser: string, way: string): Promise<number> {
  const { stdout } = await runProgram({ text: program, flags: ['--expose-gc'], args: [file, parser, way] });
  const [octets, complete] = stdout.trim().split(' ');
  assert.equal(complete, 'false');
  return Number(octets);
}

for (const parser of ['json', 'urlencoded', 'text', 'raw']) {
  test(`a body in pieces of one octet takes no more memory of ${parser}() than of Express's`, async () => {
    const [theirs, ours] = await Promise.all([
      heapPerOctet('express', parser, 'HTTP/1'),
      heapPerOctet(path.join(subject, 'index.js'), parser, 'HTTP/1'),
    ]);
    assert.ok(ours < Math.max(theirs, 20), `${ours} octets for each, ${theirs} with Express`);
  });
}

test('a body in pieces of one octet takes little memory over HTTP/2', async () => {
  const octets = await heapPerOctet(path.join(subject, 'index.js'), 'json', 'HTTP/2');
  assert.ok(octets < 40, `${octets} octets for each`);
});
