import assert = require('node:assert/strict');
import fs = require('node:fs');
import { isBuiltin } from 'node:module';
import { describe, test } from 'node:test';
import { cycles, importedBy, resolveInSrc, sourceFiles, type SourceFile } from './support/import-graph.js';
import { inPackage, inRepo } from './support/paths.js';

const files = sourceFiles();
const readJson = (name: string): Record<string, unknown> => JSON.parse(fs.readFileSync(inRepo(name), 'utf8'));
const packageJson = readJson('packages/nonstop/package.json');
const repository = readJson('package.json');
const dependencies = Object.keys(packageJson['dependencies'] ?? {});

/** What each folder of src may import besides itself, types included, and the modules of Node that it must not load. */
const layers: Record<string, { readonly imports: readonly string[]; readonly mustNotLoad: readonly string[] }> = {
  core: { imports: [], mustNotLoad: [] },
  types: { imports: [], mustNotLoad: [] },
  wire: { imports: ['core', 'node'], mustNotLoad: ['net', 'tls', 'http', 'https', 'http2', 'fs', 'fs/promises'] },
  routing: { imports: ['core'], mustNotLoad: ['net', 'tls', 'http', 'https', 'http2', 'fs', 'fs/promises'] },
  node: { imports: ['core'], mustNotLoad: ['fs', 'fs/promises', 'zlib', 'child_process'] },
  http: { imports: ['core', 'wire', 'node'], mustNotLoad: ['fs', 'fs/promises', 'zlib', 'child_process'] },
  http2: { imports: ['core', 'node', 'http'], mustNotLoad: ['fs', 'fs/promises', 'zlib', 'child_process'] },
  body: { imports: ['core', 'node'], mustNotLoad: ['net', 'tls', 'http', 'https', 'http2'] },
  files: { imports: ['core', 'node'], mustNotLoad: ['net', 'tls', 'http', 'https', 'http2'] },
  express: { imports: ['core', 'routing', 'http', 'http2', 'body', 'files'], mustNotLoad: [] },
  production: { imports: ['core', 'routing', 'http'], mustNotLoad: [] },
  entry: { imports: ['express', 'routing', 'body', 'files', 'types', 'http', 'http2', 'production'], mustNotLoad: [] },
};

const isRelative = (specifier: string): boolean => specifier.startsWith('.');

const internalEdges = (file: SourceFile): string[] =>
  file.specifiers.filter(isRelative).map((specifier) => resolveInSrc(file, specifier));

const loadedEdges = (file: SourceFile): string[] =>
  file.loaded.filter(isRelative).map((specifier) => resolveInSrc(file, specifier));

describe('the layer table', () => {
  test('src holds the folders of the table and nothing else', () => {
    const unknown = files.filter(({ layer }) => !(layer in layers)).map(({ name }) => name);
    assert.deepEqual(unknown, []);
    assert.ok(files.length > 0, 'src holds no source');
  });

  for (const [layer, { imports, mustNotLoad }] of Object.entries(layers)) {
    test(`${layer} imports ${imports.join(', ') || 'nothing'} of the other layers`, () => {
      const allowed = new Set([layer, ...imports]);
      const wrong = files
        .filter((file) => file.layer === layer)
        .flatMap((file) => internalEdges(file).map((target) => ({ file: file.name, target })))
        .filter(({ target }) => !allowed.has(target.split('/')[0]));
      assert.deepEqual(wrong, []);
    });

    test(`${layer} loads none of ${mustNotLoad.join(', ') || '(no module of Node is barred)'}`, () => {
      const barred = new Set(mustNotLoad.map((name) => `node:${name}`));
      const wrong = files
        .filter((file) => file.layer === layer)
        .flatMap((file) => file.loaded.filter((name) => barred.has(name)).map((name) => `${file.name}: ${name}`));
      assert.deepEqual(wrong, []);
    });
  }

  test('every relative import names a file of src', () => {
    const names = new Set(files.map(({ name }) => name));
    const lost = files.flatMap((file) => internalEdges(file).filter((target) => !names.has(target)));
    assert.deepEqual(lost, []);
  });

  test('what is loaded goes in no circle', () => {
    assert.deepEqual(cycles(new Map(files.map((file) => [file.name, loadedEdges(file)]))), []);
  });

  test('Node modules are imported by their node: names', () => {
    const bare = files.flatMap((file) =>
      file.specifiers
        .filter((name) => !name.startsWith('node:') && isBuiltin(name))
        .map((name) => `${file.name}: ${name}`),
    );
    assert.deepEqual(bare, []);
  });
});

describe('what is exported', () => {
  const declared = /^export (?:abstract class|class|(?:async )?function\*?|const|let) (\w+)/gm;
  const sources = new Map(files.map(({ name }) => [name, fs.readFileSync(inPackage('src', name), 'utf8')]));

  test('every function, class and constant that a file exports is named by another', () => {
    // Module hooks are called by node, by their names.
    const inner = [...sources].filter(([name]) => name !== 'entry/register-import.mts');
    const alone = inner.flatMap(([name, source]) =>
      [...source.matchAll(declared)]
        .map(([, exported]) => exported)
        .filter((exported) => {
          const word = new RegExp(`\\b${exported}\\b`);
          return ![...sources].some(([other, text]) => other !== name && word.test(text));
        })
        .map((exported) => `${name}: ${exported}`),
    );
    assert.deepEqual(alone, []);
  });
});

describe('what is public', () => {
  const exportsField = packageJson['exports'] as Record<string, unknown>;
  // entry/register-*.mts are the module hooks behind nonstop/register, loaded by it and by nobody else.
  const entries = files.filter(({ name }) => /^entry\/(?!register-).+\.mts$/.test(name));

  test('the entries are the package exports, each with a CommonJS and an ES module face', () => {
    // Modules inside of Express have no types and no other way in than require().
    const subpaths = Object.keys(exportsField).filter(
      (key) => key !== './package.json' && !/^\.\/(?:v4\/)?lib\//.test(key),
    );
    const named = subpaths.map((key) => `entry/${key === '.' ? 'index' : key.slice(2)}`).toSorted();
    assert.deepEqual(entries.map(({ name }) => name.replace(/\.mts$/, '')).toSorted(), named);
    const names = new Set(files.map(({ name }) => name));
    assert.deepEqual(
      named.filter((name) => !names.has(`${name}.ts`)),
      [],
    );
    for (const [index, subpath] of subpaths.entries()) {
      const file = `./dist/entry/${subpath === '.' ? 'index' : subpath.slice(2)}`;
      assert.deepEqual(
        exportsField[subpath],
        {
          import: { types: `${file}.d.mts`, default: `${file}.mjs` },
          require: { types: `${file}.d.ts`, default: `${file}.js` },
        },
        `exports entry ${index}`,
      );
    }
  });

  test('nonstop/http reaches http alone, so that the server can be used without the framework', () => {
    const nothing: SourceFile = { name: '', layer: '', specifiers: [], loaded: [] };
    const reached = new Set<string>();
    const byName = new Map(files.map((file) => [file.name, file]));
    const visit = (name: string): void => {
      if (reached.has(name)) return;
      reached.add(name);
      for (const target of internalEdges(byName.get(name) ?? nothing)) visit(target);
    };
    visit('entry/http.ts');
    const folders = new Set([...reached].map((name) => name.split('/')[0]));
    assert.deepEqual([...folders].toSorted(), ['core', 'entry', 'http', 'node', 'wire']);
    assert.deepEqual(
      [...reached].filter((name) => name.startsWith('entry/')),
      ['entry/http.ts'],
    );
  });
});

describe('the package', () => {
  const external = new Set(
    files
      .flatMap(({ specifiers }) => specifiers)
      .filter((name) => !isRelative(name) && !name.startsWith('node:'))
      .map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/')),
  );

  test('every runtime dependency is imported and every import is a dependency', () => {
    // Types that a program may have brought; where it has not, types/foreign.ts does without.
    const typesOnly = new Set(['express-serve-static-core']);
    assert.deepEqual([...external].filter((name) => !typesOnly.has(name)).toSorted(), dependencies.toSorted());
  });

  test('dependencies are listed in order', () => {
    for (const listed of [dependencies, Object.keys(repository['devDependencies'] ?? {})])
      assert.deepEqual(listed, listed.toSorted());
  });

  test('it runs no script when it is installed', () => {
    const scripts = Object.keys(packageJson['scripts'] as Record<string, string>);
    assert.deepEqual(
      scripts.filter((name) => /^(pre|post)?install$|^prepare$/.test(name)),
      [],
    );
  });

  test('the lockfile names no place to download from, so that any registry serves', () => {
    const lock = fs.readFileSync(inRepo('package-lock.json'), 'utf8');
    assert.deepEqual(lock.match(/"resolved": "\w+:\/\/.*"/g) ?? [], []);
  });
});

describe('the reader of imports', () => {
  const cases: readonly (readonly [source: string, found: readonly string[]])[] = [
    [`import a = require('a'); import type b from "b"; import { c } from '../c.js';`, ['a', 'b', '../c.js']],
    [`import './side.js'; const d = await import('d'); const e = lazy(() => require('e'));`, ['./side.js', 'd', 'e']],
    [`/** import 'no' */\n  // require('no')\nexport * from 'f';\nexport type { G } from 'f';`, ['f']],
    [`import {\n  h,\n  i,\n} from 'many-lines';`, ['many-lines']],
  ];
  for (const [source, found] of cases) {
    test(`finds ${found.join(', ')}`, () => assert.deepEqual(importedBy(source), found));
  }

  test('finds a circle and the way around it', () => {
    const edges = new Map([
      ['a', ['b']],
      ['b', ['c', 'd']],
      ['c', ['b']],
    ]);
    assert.deepEqual(cycles(edges), [['b', 'c', 'b']]);
  });
});
