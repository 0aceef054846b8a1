import assert = require('node:assert/strict');
import { createHook } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import http = require('node:http');
import { test } from 'node:test';
import { askParser } from '../../src/node/nodes-parser.js';
import { inChangedNode } from '../support/without.js';

test('node is asked what its parser makes of a request', () => {
  const answer = askParser('PUT /a HTTP/1.1\r\nHost: a\r\n\r\n');
  assert.ok(answer?.request instanceof http.IncomingMessage);
  assert.deepEqual([answer.request.method, answer.request.url, answer.isPersistent], ['PUT', '/a', true]);
  assert.equal(askParser('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')?.isPersistent, false);
});

test('a request that node refuses has no answer', () => {
  assert.equal(askParser('GET / HTTP/1.1\r\nHost : a\r\n\r\n'), undefined);
});

test('a limit of lines can be set for the request', () => {
  const head = `GET / HTTP/1.1\r\n${'A: b\r\n'.repeat(70)}\r\n`;
  assert.equal(askParser(head)?.request.rawHeaders.length, 140);
  assert.notEqual(askParser(head, 1)?.request.rawHeaders.length, 140);
});

test('the request is not published, and needs neither socket nor timer', async () => {
  const heard: string[] = [];
  const names = ['http.server.request.start', 'http.server.response.created', 'http.server.response.finish'];
  const hear = (_: unknown, name: string | symbol): void => void heard.push(String(name));
  for (const name of names) subscribe(name, hear);
  const types: string[] = [];
  const hook = createHook({ init: (_, type) => void types.push(type) }).enable();
  askParser('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  hook.disable();
  await new Promise(setImmediate);
  for (const name of names) unsubscribe(name, hear);
  assert.deepEqual(heard, []);
  assert.deepEqual(
    types.filter((type) => /TCP|TIMER|Timeout/i.test(type)),
    [],
  );
});

test('a parser that cannot be asked counts as strict, and as one that refuses heads with too many lines', async () => {
  const withoutParser = `
    const Given = http.Server;
    http.Server = class Server extends Given {
      constructor(...given) {
        super(...given);
        this.removeAllListeners('connection');
      }
    };
  `;
  const asked = '[part.PARSER_IS_LENIENT, part.FIELD_LINES_ARE_LIMITED, part.BATCHES_OF_LINES_ARE_CUT]';
  assert.deepEqual(await inChangedNode(withoutParser, 'nodes-parser', asked), [false, true, false]);
});
