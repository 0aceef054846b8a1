import assert = require('node:assert/strict');
import http = require('node:http');
import { test } from 'node:test';
import { sentHead } from '../../src/node/sent-head.js';

test('the head of a response is known when it is made', () => {
  const res = new http.ServerResponse({
    method: 'GET',
    httpVersionMajor: 1,
    httpVersionMinor: 1,
  } as http.IncomingMessage);
  assert.equal(sentHead(res), '');
  res.writeHead(200, { 'X-One': '1' });
  assert.equal(res.getHeader('X-One'), undefined);
  assert.match(sentHead(res), /^HTTP\/1\.1 200 OK\r\nX-One: 1\r\n/);
});

test('a message without such a head has none', () => {
  assert.equal(sentHead({} as http.ServerResponse), '');
});
