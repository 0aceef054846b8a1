import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { inPackage, inRoot } from './paths.mjs';
import { placeFiles, placeTexts, underAlias } from './places.mjs';
import { mustRunTool } from './run.mjs';
import { withTabs, typesAlone } from './tabs.mjs';

/**
 * Type-checks and compiles one project. Output is written even if types are wrong, so that later steps can run.
 * @param {string} project path of its tsconfig.json, from the root
 * @param {string} [out] folder for the output, instead of the project's own
 * @throws {Error} with the compiler's messages
 */
export const compile = (project, out) =>
  mustRunTool('typescript', ['-p', project, ...(out === undefined ? [] : ['--outDir', out])], { bin: 'tsc' });

const dist = inPackage('dist');
/** Entries that are not in the joined files, and the file that they use. */
const loose = [
  'register.js',
  'stand-in.js',
  'which-express.js',
  'place-text.js',
  'forward.js',
  'reach-workers.js',
  'jest.js',
  'vite.js',
];
const usedByLoose = path.join('node', 'module-loading.js');
const entry = (/** @type {string} */ name) => path.join('entry', name);

/**
 * Builds the package itself, packages/nonstop/src to its dist/: one file with all modules and its source map, an entry
 * for each way to load it, and the types that programs can reach from there. The README and the licence of the repository
 * are copied beside it, because npm publishes those of the package's folder.
 *
 * Two builds may run at once: each compiles into its own folder, and complete files are renamed into dist/.
 * @throws {Error} with the compiler's or the bundler's messages
 */
export async function compilePackage() {
  mkdirSync(inRoot('.build'), { recursive: true });
  const work = mkdtempSync(inRoot('.build', 'package-'));
  try {
    await assemble(path.join(work, 'compiled'), path.join(work, 'modules'));
    for (const name of ['README.md', 'LICENSE']) copyFileSync(inRoot(name), inPackage(name));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * @param {string} compiled receives the compiled src/, file by file; its types and small entries are published
 * @param {string} modules receives the same as ES modules, which the bundler can join
 */
async function assemble(compiled, modules) {
  await compile('packages/nonstop/src/tsconfig.json', compiled);
  await compile('packages/nonstop/src/tsconfig.modules.json', modules);
  // Not imported at the top: `npm test` and others load this file before anything is installed.
  const { bundle } = await import('./bundle.mjs');
  const { asPublished } = await import('./module-layout.mjs');
  const { parseAst } = await import('rollup/parseAst');
  const read = (/** @type {string} */ file) => readFileSync(path.join(compiled, file), 'utf8');
  const joined = await bundle(
    {
      nonstop: path.join(modules, entry('bundle.js')),
      v4: path.join(modules, entry('bundle-v4.js')),
      http2: path.join(modules, entry('bundle-http2.js')),
      production: path.join(modules, entry('bundle-production.js')),
    },
    dist,
  );
  /** Content by path below dist/. */
  const files = new Map(joined);
  for (const [name, line] of Object.entries(fromBundle)) files.set(entry(name), `${line};\n`);
  files.set(
    entry('bin.js'),
    `#!/usr/bin/env node\n'use strict';\nrequire('../production.js').runCommand(__dirname);\n`,
  );
  const entries = readdirSync(path.join(compiled, 'entry'), { recursive: true, encoding: 'utf8' });
  for (const [name, line] of deepEntries(entries, path.join(compiled, 'entry'))) files.set(entry(name), `${line};\n`);
  const bare = (/** @type {string} */ file) =>
    asPublished({ code: read(file), map: { mappings: '' }, isBare: true }, parseAst).code;
  for (const name of entries)
    if (loose.includes(name) || name.endsWith('.mjs')) files.set(entry(name), bare(entry(name)));
  files.set(usedByLoose, bare(usedByLoose));
  const readTypes = (/** @type {string} */ file) =>
    /^(?:entry|types)\b/.test(file) ? read(file) : typesAlone(read(file));
  for (const file of reachableTypes(readTypes, entries)) files.set(file, withTabs(readTypes(file)));
  const places = placeFiles(path.join(compiled, 'entry'), 5);
  for (const [file, text] of places)
    if (file.startsWith('dist/')) files.set(path.normalize(file.slice('dist/'.length)), text);
  write(files);
  for (const [file, text] of places) if (!file.startsWith('dist/')) replaceFile(inPackage(file), text);
}

/** Entries that use the joined files. */
const fromBundle = {
  // Each asks for `http` again: see src/entry/place-text.
  'index.js': `require('node:http');\nif (${underAlias}) module.exports = require('../../lib/express.js');\nelse module.exports = require('../nonstop.js').express`,
  'v4.js': "require('node:http');\nmodule.exports = require('../v4.js').express",
  'http.js': "require('node:http');\nmodule.exports = require('../nonstop.js').host.httpModule",
  'http2.js': "module.exports = require('../http2.js').http2Host.http2Module",
  'production.js': "module.exports = require('../production.js').productionApi(__dirname)",
  [path.join('http', 'register.js')]: "require('../../nonstop.js').host.serveEveryServer()",
};

/**
 * The internal modules of Express that packages use, each by its path there.
 * @param {string[]} names of files in entry/
 * @param {string} folder of the compiled entries
 */
function deepEntries(names, folder) {
  const { namesLine } = placeTexts(folder);
  const deep = names
    .map((name) => name.split(path.sep).join('/'))
    .filter((name) => /^(v4\/lib|lib|router)\/.*\.js$/.test(name));
  return deep.map((name) => {
    const [folder, file] = name.startsWith('v4/') ? ['v4/', 'v4.js'] : ['', 'nonstop.js'];
    const module = name.slice(folder.length, -'.js'.length);
    // Two statements: node would treat one expression as a re-export of the whole file.
    const lines = [
      `const { deep } = require('${'../'.repeat(name.split('/').length)}${file}')`,
      `module.exports = deep['${module}']`,
    ];
    lines.push(namesLine(name.slice(0, -'.js'.length)));
    return /** @type {const} */ ([name, lines.filter(Boolean).join(';\n')]);
  });
}

/**
 * The declarations of the entries and what those import, and so on. The others are internal.
 * @param {(file: string) => string} read
 * @param {string[]} entries names of files
 */
function reachableTypes(read, entries) {
  const found = new Set(
    entries
      .filter((name) => /\.d\.m?ts$/.test(name) && entries.includes(name.replace(/\.d\.m?ts$/, '.mjs')))
      .filter((name) => !name.startsWith('register-'))
      .map(entry),
  );
  for (const file of found) {
    for (const [, specifier] of read(file).matchAll(/(?:from|import|require\()\s*['"](\.[^'"]+)['"]/g)) {
      found.add(path.join(path.dirname(file), specifier.replace(/\.(m?)js$/, '.d.$1ts')));
    }
  }
  return found;
}

/** Writes dist/ and removes what an earlier build left there: `files` in package.json would publish it. */
function write(/** @type {Map<string, string>} */ files) {
  for (const [file, text] of files) replaceFile(path.join(dist, file), text);
  for (const left of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    const file = path.join(left.parentPath, left.name);
    // A file that another build is about to rename is that build's.
    if (left.isFile() && !files.has(path.relative(dist, file)) && !file.endsWith('.new')) rmSync(file, { force: true });
  }
}

/**
 * A concurrent reader gets the old text or the new one, never a part.
 * @param {string} target
 * @param {string} text
 */
function replaceFile(target, text) {
  mkdirSync(path.dirname(target), { recursive: true });
  const fresh = `${target}.${process.pid}.new`;
  writeFileSync(fresh, text);
  renameSync(fresh, target);
}
