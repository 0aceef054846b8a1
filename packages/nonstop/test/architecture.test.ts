import assert = require('node:assert/strict');
import { execFile } from 'node:child_process';
import fs = require('node:fs');
import path = require('node:path');
import { describe, test } from 'node:test';
import { inPackage, inRepo } from './support/paths.js';

const readJson = (name: string): Record<string, unknown> => JSON.parse(fs.readFileSync(inRepo(name), 'utf8'));
const packageJson = readJson('packages/nonstop/package.json');
const repository = readJson('package.json');
const dependencies = Object.keys(packageJson['dependencies'] ?? {});

interface Cruise {
  readonly summary: {
    readonly totalCruised: number;
    readonly violations: readonly {
      readonly rule: { readonly name: string };
      readonly from: string;
      readonly to: string;
    }[];
  };
}

/** Runs dependency-cruiser on the sources and on their compiled files. */
function cruise(): Promise<Cruise> {
  const program = inRepo('node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const places = ['packages/nonstop/src', '.build/packages/nonstop/src'];
  const args = ['--config', '.dependency-cruiser.mjs', '--output-type', 'json', ...places];
  return new Promise((resolve, reject) => {
    const options = { cwd: inRepo(), maxBuffer: 64 * 1024 * 1024 };
    // The exit code is the number of violations; the report lists them.
    execFile(process.execPath, [program, ...args], options, (_error, stdout, stderr) => {
      try {
        resolve(JSON.parse(stdout) as Cruise);
      } catch (cause) {
        reject(new Error(`dependency-cruiser printed no report\n${stderr}`, { cause }));
      }
    });
  });
}

test('imports follow the rules of .dependency-cruiser.mjs', async () => {
  const { summary } = await cruise();
  assert.ok(summary.totalCruised > 400, `only ${summary.totalCruised} files were read`);
  assert.deepEqual(
    summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`),
    [],
  );
});

describe('what is public', () => {
  const exportsField = packageJson['exports'] as Record<string, unknown>;
  const files = fs
    .readdirSync(inPackage('src/entry'), { recursive: true, encoding: 'utf8' })
    .map((name) => `entry/${name.split(path.sep).join('/')}`);
  // entry/register-*.mts are module hooks, which only nonstop/register loads.
  const entries = files.filter((name) => /^entry\/(?!register-).+\.mts$/.test(name));

  test('of the inner modules only declarations can be named, and those of Express', () => {
    const patterns = Object.entries(exportsField).filter(([key]) => key.includes('*'));
    assert.deepEqual(Object.fromEntries(patterns.filter(([key]) => !/^\.\/(?:v4\/)?lib\//.test(key))), {
      './types/*': { types: './dist/types/*.d.ts' },
      './production/*': { types: './dist/production/*.d.ts' },
    });
  });

  test('the entries are the package exports, each with a CommonJS and an ES module face', () => {
    // Express's inner modules have no types, so they can only be loaded with require().
    const subpaths = Object.keys(exportsField).filter((key) => key !== './package.json' && !key.includes('*'));
    const named = subpaths.map((key) => `entry/${key === '.' ? 'index' : key.slice(2)}`).toSorted();
    assert.deepEqual(entries.map((name) => name.replace(/\.mts$/, '')).toSorted(), named);
    const names = new Set(files);
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
});

describe('the package', () => {
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

  test('the lockfile has no download addresses, so that any registry works', () => {
    const lock = fs.readFileSync(inRepo('package-lock.json'), 'utf8');
    assert.deepEqual(lock.match(/"resolved": "\w+:\/\/.*"/g) ?? [], []);
  });
});
