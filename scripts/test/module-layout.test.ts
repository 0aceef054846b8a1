import assert = require('node:assert/strict');
import { SourceMap, type SourceMapPayload } from 'node:module';
import { test } from 'node:test';
import { encode, type SourceMapSegment } from '@jridgewell/sourcemap-codec';
import { pathToFileURL } from 'node:url';
import { parseAst } from 'rollup/parseAst';
import { inRepo } from '../../packages/nonstop/test/support/paths.js';

interface Layout {
  asPublished(
    module: { code: string; map: SourceMapPayload; isBare?: boolean },
    parse: (code: string) => object,
  ): { code: string; map: SourceMapPayload };
}

/** As the compiler writes it. */
const compiled = `/** Doc comments stay. */
export function first(a, b) {
    // Why.
    if (a)
        return b;
    else if (b) {
        // Two lines
        // of it.
        throw a;
    }
    for (const c of a)
        b(c);
    const text = \`
    // a text
    if (a)
        return;\`;
    return text; // at the end of a line
}
/** Nor those of variables. */
const LIMIT = first(1, 2);
/**
 * Of several lines.
 */
export let last;
/** Of a function in a variable. */
export const third = (a) => inner(a);
/** Nor those of functions of one module. */
function inner(a) {
    return fourth(a);
}
/** In a variable. */
const fourth = (a) => first(a, LIMIT);
/** So do those of classes. */
export class Second {
    /** Not those of members. */
    field = '/** a text */';
    /** in front of code */ own = 1;
    /**
     * Of several
     * lines.
     */
    method() {
        return this.field;
    }
}
`;

/** That module laid out. Its map leads each word to its own place, so that the sources are the module itself. */
async function published(isBare = false): Promise<{ code: string; map: SourceMapPayload }> {
  const { asPublished } = (await import(pathToFileURL(inRepo('scripts/lib/module-layout.mjs')).href)) as Layout;
  const words = compiled
    .split('\n')
    .map((text, line) => [...text.matchAll(/\w+/g)].map(({ index }): SourceMapSegment => [index, 0, line, index]));
  const map = { version: 3, sources: ['source.ts'], names: [], mappings: encode(words) };
  return asPublished({ code: compiled, map: map as unknown as SourceMapPayload, isBare }, parseAst);
}

test('a published module has tabs, no comments of whole lines but those of shared functions and of classes, and a short statement beside its condition', async () => {
  const { code } = await published();
  assert.equal(
    code,
    `/** Doc comments stay. */
export function first(a, b) {
\tif (a) return b;
\telse if (b) {
\t\tthrow a;
\t}
\tfor (const c of a) b(c);
\tconst text = \`
    // a text
    if (a)
        return;\`;
\treturn text; // at the end of a line
}
const LIMIT = first(1, 2);
export let last;
/** Of a function in a variable. */
export const third = (a) => inner(a);
function inner(a) {
\treturn fourth(a);
}
const fourth = (a) => first(a, LIMIT);
/** So do those of classes. */
export class Second {
\tfield = '/** a text */';
\t/** in front of code */ own = 1;
\tmethod() {
\t\treturn this.field;
\t}
}
`,
  );
});

test('a part that most applications do not load has no doc comments, and the same code', async () => {
  const [usual, rare] = [(await published()).code, (await published(true)).code];
  assert.match(usual, /Doc comments stay/);
  const rest = usual.replace(/^\/\*\*[^]*?\*\/\n/gm, '');
  assert.ok(rest.length < usual.length);
  assert.equal(rare, rest);
});

for (const isBare of [false, true])
  test(`the source map leads to the lines and columns of the sources${isBare ? ', without doc comments' : ''}`, async () => {
    const { code, map } = await published(isBare);
    const lines = code.split('\n');
    const places = new SourceMap(map);
    for (const words of ['return b', 'throw a', 'b(c)', 'const text', 'return text', 'return this']) {
      const line = lines.findIndex((text) => text.includes(words));
      const entry = places.findEntry(line, lines[line].indexOf(words)) as {
        originalLine: number;
        originalColumn: number;
      };
      const there = compiled.split('\n')[entry.originalLine];
      assert.equal(there.slice(entry.originalColumn, entry.originalColumn + words.length), words);
    }
  });
