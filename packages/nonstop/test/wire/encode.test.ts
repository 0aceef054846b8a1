import assert = require('node:assert/strict');
import { test } from 'node:test';
import { keepAliveEnd, keepAliveHint, statusLine } from '../../src/wire/encode.js';

test('the end of a head has the time limits of its own server, however servers take turns', () => {
  const servers: [number, number | null][] = [
    [5000, 0],
    [65_000, null],
    [5000, 100],
    [0, 0],
  ];
  const turns = [0, 0, 0, 1, 0, 1, 1, 1, 2, 2, 3, 2, 3, 3, 3, 0];
  for (const turn of turns) {
    const [timeout, most] = servers[turn];
    assert.match(
      keepAliveEnd(timeout, most),
      new RegExp(`^Date: [^\r\n]+ GMT\r\nConnection: keep-alive\r\n${keepAliveHint(timeout, most)}\r\n$`),
    );
  }
});

test('a status line has its own reason, however reasons take turns', () => {
  for (const reason of ['OK', 'OK', 'Fine', 'OK', 'x'.repeat(65), 'x'.repeat(65), 'OK', '']) {
    for (const status of [200, 404]) assert.equal(statusLine(status, reason), `HTTP/1.1 ${status} ${reason}\r\n`);
  }
});
