import assert = require('node:assert/strict');
import { once } from 'node:events';
import http = require('node:http');
import http2 = require('node:http2');
import net = require('node:net');
import { test } from 'node:test';
import * as part from '../../src/node/http2-servers.js';
import { certificate } from '../support/certificate.js';
import { inChangedNode, without } from '../support/without.js';

test('servers of node:http2 are recognised', () => {
  assert.equal(part.isHttp2Server(http2.createServer()), true);
  assert.equal(part.isHttp2Server(http2.createSecureServer({})), true);
  assert.equal(part.isSecureHttp2Server(http2.createServer()), false);
  assert.equal(part.isSecureHttp2Server(http2.createSecureServer({})), true);
  assert.equal(part.isHttp2Server(http.createServer()), false);
});

test('the options of servers are found; there are none on a Node that keeps them elsewhere', async () => {
  const options = part.optionsOfHttp2Server(http2.createServer({ maxSessionMemory: 7 }));
  assert.equal(options['maxSessionMemory'], 7);
  const asked = "part.optionsOfHttp2Server(require('node:http2').createServer({ maxSessionMemory: 7 }))";
  assert.deepEqual(await inChangedNode(without.symbol('options'), 'http2-servers', asked), {});
});

test("trailers of a node's response are found under their symbol; there are none on a Node that keeps them elsewhere", () => {
  assert.deepEqual(part.trailersOfHttp2Response({ [Symbol('trailers')]: { 'x-one': '1' } }), { 'x-one': '1' });
  assert.deepEqual(part.trailersOfHttp2Response({}), {});
});

test("node's listeners are found by their names", () => {
  const server = http2.createServer();
  assert.equal(part.streamListenerOf(server), undefined);
  server.on('request', () => {});
  assert.equal(typeof part.streamListenerOf(server), 'function');
  assert.equal(part.streamListenerOf(server), server.listeners('stream')[0]);
  const secure = http2.createSecureServer({ ...certificate(), allowHTTP1: true });
  assert.ok(secure.listeners('secureConnection').includes(part.secureListenerOf(secure)!));
});

test("node's messages leave nothing on their stream", async () => {
  const server = http2.createServer();
  server.on('sessionError', () => {});
  const requested = once(server, 'request') as Promise<[http2.Http2ServerRequest]>;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = http2.connect(`http://127.0.0.1:${(server.address() as net.AddressInfo).port}`);
  client.on('error', () => {});
  client.request({ ':path': '/' }).on('error', () => {});
  const [{ stream }] = await requested;
  const names = (): string[] =>
    ['trailers', 'end', 'aborted', 'timeout', 'wantTrailers', 'drain'].flatMap((event) =>
      stream.listeners(event).map(({ name }) => name),
    );
  const before = names();
  const reading = part.removeMessageListeners(stream);
  const after = names();
  client.destroy();
  server.close();
  assert.ok(before.includes('onStreamTrailers'));
  assert.equal(reading, false);
  assert.deepEqual(after, []);
});
