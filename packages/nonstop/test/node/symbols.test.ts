import assert = require('node:assert/strict');
import http = require('node:http');
import { test } from 'node:test';
import { symbolOf, valueUnder } from '../../src/node/symbols.js';

test("node's symbols are found by their descriptions", () => {
  const server = http.createServer({ IncomingMessage: http.IncomingMessage });
  assert.equal(valueUnder(server, 'IncomingMessage'), http.IncomingMessage);
  assert.equal(typeof symbolOf(server, 'IncomingMessage'), 'symbol');
});

test('a missing symbol is undefined', () => {
  assert.equal(symbolOf({}, 'IncomingMessage'), undefined);
  assert.equal(valueUnder({ [Symbol('other')]: 1 }, 'IncomingMessage'), undefined);
});
