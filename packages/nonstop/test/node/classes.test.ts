import assert = require('node:assert/strict');
import { test } from 'node:test';
import { inChangedNode } from '../support/without.js';

test("node's classes stay node's when a program replaces them later", async () => {
  const program = `(() => {
    const { Server, IncomingMessage, ServerResponse } = http;
    for (const name of ['Server', 'IncomingMessage', 'ServerResponse']) http[name] = class {};
    return [part.NodeHttpServer === Server, part.NodeRequest === IncomingMessage, part.NodeResponse === ServerResponse];
  })()`;
  assert.deepEqual(await inChangedNode('', 'classes', program), [true, true, true]);
});
