import assert = require('node:assert/strict');
import path = require('node:path');
import { test } from 'node:test';
import { folder } from '../support/folder.js';
import { compiled } from '../support/paths.js';
import { inChangedNode } from '../support/without.js';

test('a program can be run as the main one', async () => {
  const asked = `(() => {
    process.argv[1] = ${JSON.stringify(compiled('src/node/symbols.js'))};
    part.runMainModule();
    return Object.keys(require.cache).includes(process.argv[1]) && process.mainModule?.filename === process.argv[1];
  })()`;
  assert.equal(await inChangedNode('', 'main-module', asked), true);
});

test('node does not keep the texts of the modules that the main program loads', async () => {
  const root = folder({
    'data.json': `[${' '.repeat(5_000_000)}]`,
    'main.cjs': `const heap = () => (gc(), gc(), process.memoryUsage().heapUsed);
      const before = heap();
      global.loaded = require('./data.json');
      global.grown = heap() - before;`,
  });
  const asked = `(() => {
    require('node:v8').setFlagsFromString('--expose-gc');
    global.gc = require('node:vm').runInNewContext('gc');
    process.argv[1] = ${JSON.stringify(path.join(root, 'main.cjs'))};
    part.runMainModule();
    return global.grown;
  })()`;
  const grown = await inChangedNode('', 'main-module', asked);
  assert.ok(typeof grown === 'number' && grown < 1_000_000, String(grown));
});
