import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { test } from 'node:test';
import { messageOf } from '../../src/production/lifecycle.js';
import { Traffic } from '../../src/production/traffic.js';

test('a server that was closed is forgotten, and is followed once when it listens again', async () => {
  const traffic = new Traffic();
  const refused: string[] = [];
  traffic.onRefused = (code) => refused.push(code);
  const server = http.createServer();
  for (let i = 0; i < 2; i++) {
    traffic.follow(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    assert.ok(traffic.listens);
    await new Promise((resolve) => server.close(resolve));
    assert.ok(!traffic.listens);
    assert.equal(traffic.servers.size, 0);
  }
  server.on('clientError', () => undefined).emit('clientError', { code: 'HPE_INVALID_METHOD' });
  assert.deepEqual(refused, ['HPE_INVALID_METHOD']);
});

test('an error without a message is told by its code, or else by its name', () => {
  assert.equal(messageOf(new Error('no route\nat all')), 'no route');
  assert.equal(messageOf(Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' })), 'ECONNREFUSED');
  assert.equal(messageOf(new AggregateError([])), 'AggregateError');
  assert.equal(messageOf('text'), 'text');
  assert.equal(messageOf(Object.assign(new Error(), { message: { code: 7 } })), '[object Object]');
});
