import assert = require('node:assert/strict');
import { execFile } from 'node:child_process';
import fs = require('node:fs');
import path = require('node:path');
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { declarations } from '../support/declared-types.js';
import { inPackage, inRepo } from '../support/paths.js';

const run = promisify(execFile);

const projects = [
  { config: 'tsconfig.json', says: 'the programs compile against the built package' },
  { config: 'tsconfig.express.json', says: 'the programs that Express shares compile against @types/express' },
  { config: 'tsconfig.node16.json', says: 'they compile under node16 resolution' },
  // Without the members that interop/augmentation.ts declares: with them the compiler infers the types of bodies in another way.
  { config: 'tsconfig.beside.json', says: 'programs typed with both packages compile where nobody adds members' },
  { config: 'v4/tsconfig.json', says: 'the programs of Express 4 compile against the built package' },
  { config: 'v4/tsconfig.express.json', says: 'those that Express 4 shares compile against @types/express 4' },
  { config: 'tsconfig.bundler.json', says: 'the module entry compiles under bundler resolution' },
];

/** Those that TypeScript 5 compiles too, which the site has: it infers some types in another way. */
const older = ['tsconfig.json', 'v4/tsconfig.json'];

/** Type-checks a project. */
async function compile(project: string, typescript = 'node_modules/typescript'): Promise<void> {
  const compiler = inRepo(typescript, 'bin/tsc');
  await run(process.execPath, [compiler, '-p', project]).catch((error: { stdout?: string }) =>
    assert.fail(error.stdout || String(error)),
  );
}

describe('the types for programs', () => {
  for (const { config, says } of projects) {
    test(says, async () => {
      await compile(inPackage('test/types', config));
    });
  }

  for (const config of older) {
    test(`the programs of ${config} compile with TypeScript 5`, async () => {
      await compile(inPackage('test/types', config), 'docs/node_modules/typescript');
    });
  }

  for (const [theirs, major] of [
    ['@types/express', '5'],
    ['@types/express4', '4'],
  ] as const) {
    test(`the types of Express ${major} have all names of ${theirs}`, () => {
      const declared = declarations(inRepo('node_modules', theirs, 'index.d.ts'));
      const names = declared.exportedNames();
      assert.ok(names.length > 25, `only ${names.length} names were read`);
      const own = [
        ...declarations(inPackage('dist/entry', major === '4' ? 'v4.d.ts' : 'index.d.ts')).exportedNames(),
        ...declarations(inPackage('dist/types', major === '4' ? 'v4/index.d.ts' : 'index.d.ts')).membersOf('Framework'),
      ];
      assert.deepEqual(
        names.filter((name) => !own.includes(name)),
        [],
      );
    });
  }

  // The compiler explains only the last overload of a method: the order of overloads decides whether the message helps.
  test('a call that fits no overload of a method gets an error about its handler', async () => {
    const project = inPackage('test/types/messages');
    const compiler = inRepo('node_modules/typescript/bin/tsc');
    const failed = await run(process.execPath, [compiler, '-p', project, '--pretty', 'false']).then(
      () => ({ stdout: '' }),
      (error: { stdout: string }) => error,
    );
    const said = new Map<number, string>();
    for (const message of failed.stdout.split(/^(?=\S+\(\d+,\d+\): error)/m)) {
      const line = Number(/\((\d+),/.exec(message)?.[1]);
      said.set(line, (said.get(line) ?? '') + message);
    }
    const lines = fs.readFileSync(path.join(project, 'handlers.ts'), 'utf8').split('\n');
    const expected = lines.flatMap((text, at) => {
      const [, words] = / \/\/ says: (.*)$/.exec(text) ?? [];
      return words === undefined ? [] : [{ line: at + 1, words }];
    });
    assert.ok(expected.length > 5);
    for (const { line, words } of expected) {
      const message = said.get(line) ?? '';
      assert.ok(message.includes(words), `line ${line} should say ${words}, and says ${message || 'nothing'}`);
      assert.ok(!message.includes('Application'), `line ${line} speaks of an application: ${message}`);
    }
    assert.deepEqual(
      [...said.keys()],
      expected.map(({ line }) => line),
    );
  });

  // Declarations of inner files would be checked in the user's program, possibly with newer node types than ours.
  test('they lead only to declarations of the entries and of src/types', () => {
    const dist = inPackage('dist');
    const seen = new Set<string>();
    const outside: string[] = [];
    const visit = (file: string): void => {
      if (seen.has(file)) return;
      seen.add(file);
      for (const [, specifier] of withoutComments(file).matchAll(/(?:from|import|require)\s*\(?\s*'([^']+)'/g)) {
        if (specifier.startsWith('.')) visit(path.resolve(path.dirname(file), asDeclaration(specifier)));
        else if (!/^(node:)?(http|http2|https|net|fs|events)$|^express-serve-static-core$/.test(specifier))
          outside.push(`${file}: ${specifier}`);
      }
    };
    for (const entry of ['index.d.ts', 'index.d.mts', 'v4.d.ts', 'v4.d.mts', 'http.d.ts', 'http.d.mts'])
      visit(path.join(dist, 'entry', entry));
    assert.deepEqual(outside, []);
    const folders = new Set([...seen].map((file) => path.relative(dist, file).split(path.sep)[0]));
    assert.deepEqual([...folders].toSorted(), ['entry', 'types']);
  });
});

const withoutComments = (file: string): string => fs.readFileSync(file, 'utf8').replace(/\/\*.*?\*\//gs, '');

const asDeclaration = (specifier: string): string => specifier.replace(/\.(m?)js$/, '.d.$1ts');
