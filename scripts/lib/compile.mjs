import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inRoot } from './paths.mjs';
import { mustRunTool } from './run.mjs';

/**
 * Type-checks and compiles one project. Output is written even when types are wrong, so that later steps still speak.
 * @param {string} project path of its tsconfig.json, from the root
 * @throws {Error} with the compiler's messages
 */
export const compile = (project) => mustRunTool('typescript', ['-p', project], { bin: 'tsc' });

/** Where the compiler leaves src/, a file for a file: of it types and small entries are published. */
const compiled = inRoot('.build', 'compiled');
/** The same as ES modules, which one scope can be made of. */
const modules = inRoot('.build', 'modules');
const dist = inRoot('dist');
const entry = (/** @type {string} */ name) => path.join('entry', name);

/**
 * The package itself, src/ to dist/: one file with all modules, an entry for each way to load it, and the types that
 * programs can reach from there.
 * @throws {Error} with the compiler's or the bundler's messages
 */
export async function compilePackage() {
  for (const folder of [compiled, modules]) rmSync(folder, { recursive: true, force: true });
  await compile('src/tsconfig.json');
  await compile('src/tsconfig.modules.json');
  // Not at the top: `npm test` and others load this file before they have installed anything.
  const { bundle, withoutComments } = await import('./bundle.mjs');
  /** @type {Map<string, string>} content by path below dist/ */
  const files = new Map([['nonstop.js', await bundle(path.join(modules, entry('bundle.js')))]]);
  for (const name of ['express', 'http']) {
    const file = entry(name === 'express' ? 'index.js' : `${name}.js`);
    files.set(file, `'use strict';\nmodule.exports = require('../nonstop.js').${name};\n`);
  }
  for (const name of readdirSync(path.join(compiled, 'entry'))) {
    if (name !== 'register.js' && !name.endsWith('.mjs')) continue;
    files.set(entry(name), await withoutComments(readCompiled(entry(name))));
  }
  for (const file of reachableTypes()) files.set(file, withTabs(readCompiled(file)));
  write(files);
}

const readCompiled = (/** @type {string} */ file) => readFileSync(path.join(compiled, file), 'utf8');

/** Indented by tabs, where the compiler takes four spaces: 3 KB less. @param {string} types */
const withTabs = (types) => types.replaceAll(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4));

/** The declarations of the entries and what those import, and so on. The others describe the inside. */
function reachableTypes() {
  const found = new Set(
    readdirSync(path.join(compiled, 'entry'))
      .filter((name) => /\.d\.m?ts$/.test(name) && !name.startsWith('bundle.'))
      .map(entry),
  );
  for (const file of found) {
    for (const [, specifier] of readCompiled(file).matchAll(/(?:from|import|require\()\s*['"](\.[^'"]+)['"]/g)) {
      found.add(path.join(path.dirname(file), specifier.replace(/\.(m?)js$/, '.d.$1ts')));
    }
  }
  return found;
}

/** Writes dist/ and removes what an earlier build left there: `files` in package.json would publish it. */
function write(/** @type {Map<string, string>} */ files) {
  for (const [file, text] of files) {
    const target = path.join(dist, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  for (const left of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    const file = path.join(left.parentPath, left.name);
    if (left.isFile() && !files.has(path.relative(dist, file))) rmSync(file);
  }
}
