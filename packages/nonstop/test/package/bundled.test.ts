import assert = require('node:assert/strict');
import fs = require('node:fs');
import { createRequire } from 'node:module';
import vm = require('node:vm');
import { describe, test } from 'node:test';
import { inPackage } from '../support/paths.js';

/** Loads a file of the package as an ES module bundle does: without `__filename` and `__dirname`. */
function bundled(name: string): unknown {
  const file = inPackage('dist/entry', name);
  const load = vm.compileFunction(fs.readFileSync(file, 'utf8'), ['module', 'exports', 'require'], { filename: file });
  const made = { exports: {} };
  load(made, made.exports, createRequire(file));
  return made.exports;
}

describe('the published package in a bundle that is an ES module', () => {
  for (const name of ['index.js', 'v4.js', 'http.js']) {
    test(`${name} is what it is elsewhere`, () => {
      assert.equal(bundled(name), require(inPackage('dist/entry', name)));
    });
  }
});
