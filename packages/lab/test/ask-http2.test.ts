import assert = require('node:assert/strict');
import { once } from 'node:events';
import http = require('node:http');
import http2 = require('node:http2');
import type { AddressInfo, Server } from 'node:net';
import { test } from 'node:test';
import { ask, type Answer } from '../src/ask.js';
import type { ScenarioRequest } from '../src/scenario.js';
import { asOverHttp2 } from '../src/verify.js';
import { certificate } from '../../nonstop/test/support/certificate.js';

type Listener = (req: http2.Http2ServerRequest, res: http2.Http2ServerResponse) => void;

async function answerOf(server: Server, secure: boolean, request: Partial<ScenarioRequest> = {}): Promise<Answer> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    return await ask(port, { method: 'GET', path: '/a?b', ...request }, { streams: 1, secure });
  } finally {
    server.close();
  }
}

const mirror: Listener = (req, res) => {
  let body = '';
  req.on('data', (chunk: Buffer) => (body += chunk.toString()));
  req.on('end', () => {
    res.writeHead(201, { 'X-A': req.headers['x-a'] ?? '', 'Set-Cookie': ['a', 'b'], date: 'today' });
    res.end(`${req.method} ${req.url} ${body}`);
  });
};

for (const secure of [false, true]) {
  test(`an answer over HTTP/2 ${secure ? 'and TLS' : 'in clear text'} has its fields in order, a line for each value`, async () => {
    const server = secure ? http2.createSecureServer(certificate(), mirror) : http2.createServer(mirror);
    const answer = await answerOf(server, secure, { method: 'POST', headers: { 'X-A': 'b' }, body: 'text' });
    assert.deepEqual(answer, {
      status: 201,
      reason: '',
      fields: [
        ['x-a', 'b'],
        ['set-cookie', 'a'],
        ['set-cookie', 'b'],
        ['date', 'today'],
      ],
      body: 'POST /a?b text',
    });
  });
}

test('bodies that are no text are compared octet by octet', async () => {
  const bodies = await Promise.all(
    [Buffer.from([0xff]), Buffer.from([0xfe]), Buffer.from('ÿ')].map(async (octets) => {
      const { body } = await answerOf(
        http2.createServer((_req, res) => void res.end(octets)),
        false,
      );
      const server = http.createServer((_req, res) => void res.end(octets)).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const overHttp1 = await ask((server.address() as AddressInfo).port, { method: 'GET', path: '/' });
      server.close();
      assert.equal(overHttp1.body, body);
      return body;
    }),
  );
  assert.equal(new Set(bodies).size, 3, bodies.join());
});

test('a stream that is reset, and a server of HTTP/1, are errors', async () => {
  const reset = http2.createServer((_req, res) => {
    res.write('part');
    setImmediate(() => res.stream.close(http2.constants.NGHTTP2_CANCEL));
  });
  await assert.rejects(answerOf(reset, false), /reset/i);
  await assert.rejects(answerOf(http.createServer(), false), Error);
});

test('an answer of HTTP/1.1 is comparable without its reason and the fields of its connection', () => {
  const over1: Answer = {
    status: 200,
    reason: 'OK',
    fields: [
      ['X-Powered-By', 'Express'],
      ['Connection', 'keep-alive'],
      ['Keep-Alive', 'timeout=5'],
      ['Transfer-Encoding', 'chunked'],
    ],
    body: 'a',
  };
  assert.deepEqual(asOverHttp2(over1), { status: 200, reason: '', fields: [['x-powered-by', 'Express']], body: 'a' });
});
