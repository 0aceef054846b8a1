import assert = require('node:assert/strict');
import { SourceMap, type SourceMapPayload } from 'node:module';
import { test } from 'node:test';
import { encode } from '@jridgewell/sourcemap-codec';
import { pathToFileURL } from 'node:url';
import { inRepo } from '../../packages/nonstop/test/support/paths.js';

interface Maps {
  withoutEnds(code: string, text: string): string;
}

test('a map loses the places of ends, and nothing that a stack trace names', async () => {
  const { withoutEnds } = (await import(pathToFileURL(inRepo('scripts/lib/source-map.mjs')).href)) as Maps;
  const code = 'f(a, b);\n}\n\tthrow new E();';
  const columns = [
    [0, 1, 2, 3, 5, 6, 7, 8],
    [0, 1],
    [1, 6, 7, 11, 12, 14],
  ];
  const mappings = encode(columns.map((each, line) => each.map((column) => [column, 0, line, column])));
  const map = { version: 3, file: 'a.js', sources: ['a.ts'], sourcesContent: [code], names: [], mappings };
  const less = JSON.parse(withoutEnds(code, JSON.stringify(map))) as SourceMapPayload;
  assert.deepEqual({ ...less, mappings: '' }, { ...map, mappings: '' });
  const places = new SourceMap(less);
  const columnAt = (line: number, column: number): unknown =>
    (places.findEntry(line, column) as { originalColumn: number }).originalColumn;
  for (const [line, column] of [
    [0, 0],
    [0, 1],
    [0, 2],
    [0, 5],
    // The first place of a line.
    [1, 0],
    [2, 1],
    [2, 7],
    [2, 11],
  ])
    assert.equal(columnAt(line, column), column, `${line}:${column}`);
  assert.deepEqual([columnAt(0, 3), columnAt(0, 7), columnAt(2, 14)], [2, 5, 12], 'ends have the place before them');
  assert.ok(less.mappings.length < mappings.length);
});
