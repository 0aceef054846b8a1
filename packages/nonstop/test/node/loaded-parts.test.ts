import assert = require('node:assert/strict');
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { compiled } from '../support/paths.js';

test('whether node:http2 is loaded is known without loading it', () => {
  const program = `const { http2IsLoaded } = require(process.argv[1]);
    const seen = [http2IsLoaded(), http2IsLoaded()]; require('node:http2'); console.log(JSON.stringify([...seen, http2IsLoaded()]));`;
  const told = execFileSync(process.execPath, ['-e', program, compiled('src', 'node/loaded-parts.js')], {
    encoding: 'utf8',
  });
  assert.deepEqual(JSON.parse(told), [false, false, true]);
});
