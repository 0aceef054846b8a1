import { parseSync } from '@swc/core';
import assert = require('node:assert/strict');
import fs = require('node:fs');
import http = require('node:http');
import path = require('node:path');
import { test } from 'node:test';
import * as differences from '../../src/node/differences.js';
import { inPackage } from '../support/paths.js';

const src = inPackage('src');
const files = fs
  .readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.m?ts$/.test(name) && path.normalize(name) !== path.normalize('node/differences.ts'));
const text = (name: string): string => fs.readFileSync(path.join(src, name), 'utf8');

test('each difference is used, by its name', () => {
  const all = files.map(text).join('\n');
  assert.deepEqual(
    Object.keys(differences).filter((name) => !new RegExp(`\\b${name}\\b`).test(all)),
    [],
  );
});

/** Code that compares node's version or takes it apart; code that only prints it does not match. */
const COMPARED = /\bprocess\.versions?\b(?!\})[^;\n]*(?:split|[<>]|match|slice|===)|\bnodeMajor\b/;

test('versions of node are compared nowhere else', () => {
  assert.match('process.versions.node.split(".")', COMPARED);
  assert.deepEqual(
    files.filter((name) => {
      assert.ok(parseSync(text(name), { syntax: 'typescript' }).body.length > 0);
      return COMPARED.test(text(name).replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, ''));
    }),
    [],
  );
});

test('this Node behaves as the table says, where that can be seen', () => {
  assert.equal(differences.NODE_IS_TOO_OLD, false);
  assert.equal(differences.IS_OTHER_RUNTIME, false);
  const server = http.createServer() as { shouldUpgradeCallback?: unknown };
  if (differences.UPGRADES_HAVE_BODIES) assert.equal(typeof server.shouldUpgradeCallback, 'function');
});
