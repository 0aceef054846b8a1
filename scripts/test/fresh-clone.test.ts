import assert = require('node:assert/strict');
import fs = require('node:fs');
import path = require('node:path');
import { test } from 'node:test';
import { inRepo } from '../../packages/nonstop/test/support/paths.js';

/** What a module and the modules that it imports statically ask for by name, with the asking file. */
function packagesOf(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const imports = fs.readFileSync(file, 'utf8').matchAll(/^(?:import|export)\b[^;]*?'([^']+)';/gm);
  return [...imports].flatMap(([, name]) => {
    if (name.startsWith('node:')) return [];
    if (name.startsWith('.')) return packagesOf(path.join(path.dirname(file), name), seen);
    return [`${name} (${path.basename(file)})`];
  });
}

for (const command of ['test', 'start', 'build', 'lab', 'help', 'no-package', 'prepack']) {
  test(`scripts/${command}.mjs starts in a fresh clone, before npm ci has brought any package`, () => {
    assert.deepEqual(packagesOf(inRepo('scripts', `${command}.mjs`)), []);
  });
}

test('a package behind two imports is found', () => {
  assert.deepEqual(packagesOf(inRepo('scripts/lib/bundle.mjs')).toSorted(), [
    '@jridgewell/sourcemap-codec (module-layout.mjs)',
    '@jridgewell/sourcemap-codec (source-map.mjs)',
    'rollup (bundle.mjs)',
  ]);
});
