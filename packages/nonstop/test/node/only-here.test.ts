import { parseSync } from '@swc/core';
import assert = require('node:assert/strict');
import fs = require('node:fs');
import path = require('node:path');
import { describe, test } from 'node:test';
import { inPackage } from '../support/paths.js';

/** Names with a leading underscore that are not node's, or are documented. */
const NOT_NODES: Readonly<Record<string, readonly string[]>> = {
  "Express's": ['_router', '_locals', '_all', '_methods', '_options', '_params', '_handlesMethod', '_handles_method'],
  "of Express's middleware": ['_body', '_parsedUrl', '_raw', '_dotfiles', '_root'],
  'documented for streams': ['_read', '_write', '_final', '_destroy'],
};

/** Undocumented members of node's objects without an underscore. */
const NODES = new Set(
  (
    'onconnection onread readStart readStop writeQueueSize useUserBuffer writeLatin1String writeUtf8String usingDomains ' +
    'runMain binding getOwnPropertySymbols latin1Slice readingMore resumeScheduled endEmitted closeEmitted getAsyncId'
  ).split(' '),
);

/** Texts that name undocumented parts of node: its listeners, and its internal modules. */
const NODES_TEXT = /^(?:bound )?(?:onServer|onStream|onSocket|socketOn|connectionListener)|^internal\//;

const NAMED_BY = new Set([
  'KeyValueProperty',
  'KeyValuePatternProperty',
  'AssignmentPatternProperty',
  'MethodProperty',
  'GetterProperty',
  'SetterProperty',
  'TsPropertySignature',
  'TsMethodSignature',
  'ClassProperty',
  'ClassMethod',
]);

interface Node {
  readonly type: string;
  readonly value?: unknown;
  readonly property?: Node;
  readonly key?: Node;
  readonly expression?: Node;
  readonly source?: Node;
}

interface Found {
  /** Names of properties. */
  readonly names: Set<string>;
  readonly texts: Set<string>;
  readonly imports: Set<string>;
}

function read(text: string): Found {
  const found: Found = { names: new Set(), texts: new Set(), imports: new Set() };
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    const node = value as Node;
    const given = node.type === 'MemberExpression' ? node.property : NAMED_BY.has(node.type) ? node.key : undefined;
    const name = given?.type === 'Computed' ? given.expression : given;
    if (name !== undefined && name.type !== 'PrivateName') found.names.add(String(name.value));
    if (node.type === 'StringLiteral') found.texts.add(String(node.value));
    if (/^(?:Import|Export)/.test(node.type) && node.source != null) found.imports.add(String(node.source.value));
    Object.values(node).forEach(visit);
  };
  visit(parseSync(text, { syntax: 'typescript', target: 'es2022' }));
  return found;
}

const src = inPackage('src');
const files = fs
  .readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map((name) => name.split(path.sep).join('/'))
  .filter((name) => /\.m?ts$/.test(name));

const stateNames = read(fs.readFileSync(path.join(src, 'node/message-state.ts'), 'utf8')).names;
const others = new Set(Object.values(NOT_NODES).flat());

/** The undocumented names in a file outside of node/. */
function forbidden(file: string, text: string): string[] {
  const { names, texts, imports } = read(text);
  const mayName = (name: string): boolean =>
    others.has(name) || (/^http2?\//.test(file) && (stateNames.has(name) || name === '_readableState'));
  return [
    ...[...names].filter((name) => NODES.has(name) || (/^_[a-z]/i.test(name) && !mayName(name))),
    ...[...texts].filter((each) => NODES_TEXT.test(each) || (/^_[a-z]\w*$/i.test(each) && !mayName(each))),
    ...[...imports].filter((each) => each.endsWith('node/symbols.js')),
  ];
}

describe('undocumented parts of node are used in src/node alone', () => {
  test('no other file names one', () => {
    const outside = files.filter((file) => !file.startsWith('node/'));
    assert.ok(outside.length > 200);
    const found = outside.flatMap((file) =>
      forbidden(file, fs.readFileSync(path.join(src, file), 'utf8')).map((name) => `${file}: ${name}`),
    );
    assert.deepEqual(found, []);
  });

  const samples: Record<string, string> = {
    'socket._handle.fd;': '_handle',
    'const { _handle: handle } = socket;': '_handle',
    "Module['_extensions'];": '_extensions',
    'interface Socket { readonly _handle?: object }': '_handle',
    'Reflect.get(server, "_connectionKey");': '_connectionKey',
    'handle.onread = read;': 'onread',
    "process.binding('http_parser');": 'binding',
    'Object.getOwnPropertySymbols(server);': 'getOwnPropertySymbols',
    "server.listeners('stream').find(({ name }) => name === 'bound onServerStream');": 'bound onServerStream',
    "import { valueUnder } from '../node/symbols.js';": '../node/symbols.js',
  };
  for (const [text, name] of Object.entries(samples)) {
    test(`it is seen in: ${text}`, () => assert.deepEqual(new Set(forbidden('http/x.ts', text)), new Set([name])));
  }

  test('the state of messages is for http and http2', () => {
    assert.deepEqual(forbidden('http/x.ts', 'res._header;'), []);
    assert.deepEqual(forbidden('express/x.ts', 'res._header;'), ['_header']);
  });

  test('names that are not of node are still used', () => {
    const used = new Set(
      files.flatMap((file) => {
        const { names, texts } = read(fs.readFileSync(path.join(src, file), 'utf8'));
        return [...names, ...texts];
      }),
    );
    assert.deepEqual(
      [...others].filter((name) => !used.has(name)),
      [],
    );
  });
});

test('what the compiler cannot check is claimed at few places', () => {
  const claims = new Map<string, number>();
  for (const file of files) {
    const text = fs.readFileSync(path.join(src, file), 'utf8');
    const count = text.match(/\bhidden[<(](?!T extends)|\bas unknown as\b/g)?.length ?? 0;
    if (count > 0 && file !== 'core/hidden.ts') claims.set(file, count);
  }
  assert.deepEqual(Object.fromEntries(claims), {
    // A function in the place of a class.
    'core/callable-class.ts': 1,
    // A function that inherits from a constructor, and is one of the same type.
    'http/callable.ts': 1,
    // An HTTP/2 server with TLS that also speaks HTTP/1.1 has what the engine uses of an http.Server, but another type.
    'http2/takeover.ts': 1,
    // Prototypes of node's, with members that its types leave out.
    'node/classes.ts': 3,
    'node/genuine-methods.ts': 2,
  });
});

test('each file of src/node has a test of what it needs of node', () => {
  const parts = files.filter((file) => file.startsWith('node/')).map((file) => file.replace(/\.ts$/, '.test.ts'));
  assert.ok(parts.length > 15);
  assert.deepEqual(
    parts.filter((file) => !fs.existsSync(inPackage('test', file))),
    [],
  );
});
