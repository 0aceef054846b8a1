import { parseSync } from '@swc/core';
import assert = require('node:assert/strict');
import fs = require('node:fs');
import path = require('node:path');
import { describe, test } from 'node:test';
import v8 = require('node:v8');
import vm = require('node:vm');
import { inPackage } from './support/paths.js';

/** How many functions a file writes once for a process, a server, an application or a worker. */
const ONCE: Readonly<Record<string, number>> = {
  'express/v4/moving-on/applications.ts': 1,
  'http/server/engine.ts': 1,
  'http2/takeover.ts': 1,
  'node/module-loading.ts': 3,
  'node/shared-listening.ts': 4,
  'production/access-log.ts': 1,
  'production/listening.ts': 1,
  'production/observe.ts': 1,
  'production/waiting-connections.ts': 1,
};

interface Node {
  readonly type: string;
  readonly left?: Node;
  readonly right?: Node;
}

const FUNCTION = /^(?:FunctionExpression|ArrowFunctionExpression)$/;
const BODY =
  /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression|ClassMethod|MethodProperty|Constructor|Getter|Setter)/;

/** How often code that may run many times writes a new function into a property. */
function writesIn(text: string): number {
  let writes = 0;
  const visit = (value: unknown, inBody: boolean): void => {
    if (Array.isArray(value)) for (const each of value) visit(each, inBody);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    const node = value as Node;
    const { type, left, right } = node;
    if (inBody && type === 'AssignmentExpression' && left?.type === 'MemberExpression' && FUNCTION.test(right!.type))
      writes++;
    for (const each of Object.values(node)) visit(each, inBody || BODY.test(type));
  };
  visit(parseSync(text, { syntax: 'typescript', target: 'es2022' }), false);
  return writes;
}

const src = inPackage('src');
const files = fs
  .readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map((name) => name.split(path.sep).join('/'))
  .filter((name) => /\.m?ts$/.test(name));
const found = files
  .map((file) => [file, writesIn(fs.readFileSync(path.join(src, file), 'utf8'))] as const)
  .filter(([, writes]) => writes > 0);

/** Whether V8 makes the function of `text`, an expression with an object `o`, in its young generation. */
function isYoung(text: string): boolean {
  v8.setFlagsFromString('--allow-natives-syntax');
  try {
    return vm.runInThisContext(`(function (o) { return %InYoungGeneration(${text}); })`)({});
  } finally {
    v8.setFlagsFromString('--no-allow-natives-syntax');
  }
}

describe('a function that is made for each request or connection is not old from the start', () => {
  // If this fails, V8 has changed and the rule below has no reason any more.
  test('V8 makes a function in its old generation where it is written into a property', () => {
    assert.deepEqual(
      [
        'o.f = () => o',
        'o.f ??= function () {}',
        '(() => { const f = () => o; return (o.f = f); })()',
        '({ f: () => o }).f',
      ].map(isYoung),
      [false, false, true, true],
    );
  });

  test('so no function is written into a property, except once for a process, a server, an application or a worker', () => {
    assert.ok(files.length > 250);
    assert.deepEqual(Object.fromEntries(found), ONCE);
  });

  for (const [text, writes] of [
    ['function f(o) { o.f = () => o; }', 1],
    ['class A { get f() { return (this.g ??= function () {}); } }', 1],
    ['const f = () => { const g = () => 1; o.f = g; };', 0],
    ['A.prototype.f = function () {};', 0],
  ] as const) {
    test(`${writes === 0 ? 'not seen' : 'seen'} in: ${text}`, () => assert.equal(writesIn(text), writes));
  }
});
