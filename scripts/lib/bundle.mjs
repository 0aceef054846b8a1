import { readFileSync } from 'node:fs';
import path from 'node:path';
import { rollup } from 'rollup';
import { asPublished } from './module-layout.mjs';
import { withoutEnds } from './source-map.mjs';

/**
 * Joins all modules that the first entry reaches, or more than one of the others, into one scope, in the order in which they would run, and the modules
 * that only the next entry reaches into another scope. The result stays readable: it keeps names, line breaks and some doc comments
 * (`asPublished`).
 *
 * Names are kept because users see them: those of functions and classes in `app.router.stack` and in stack traces, those
 * of variables in messages such as `field.toLowerCase is not a function` (docs/decisions/0013).
 * @param {Record<string, string>} entries ES modules with the compiler's source maps beside them, by the name of the file of each without `.js`
 * @param {string} folder where the files will be: source maps name the sources from there
 * @returns {Promise<[name: string, text: string][]>} the files and their source maps
 * @throws {Error} when the name of a function or class would change
 */
export async function bundle(entries, folder) {
  const [baseName] = Object.keys(entries);
  /** @type {Set<string>[] | undefined} the modules that each entry needs */
  let reached;
  const modules = await rollup({
    input: entries,
    external: /^node:/,
    // The first file also exports the names that the other files share with it.
    preserveEntrySignatures: 'allow-extension',
    plugins: [{ name: 'compiled', load: compiled }],
    onwarn: ({ message }) => {
      throw new Error(message);
    },
  });
  const { output } = await modules.generate({
    format: 'cjs',
    dir: folder,
    sourcemap: true,
    esModule: false,
    externalLiveBindings: false,
    generatedCode: { preset: 'es2015', symbols: false },
    interop: 'default',
    // No `require` of node's modules in a file that does not use them.
    hoistTransitiveImports: false,
    entryFileNames: '[name].js',
    manualChunks: (id, { getModuleInfo }) => {
      reached ??= Object.values(entries).map((entry) => reachedFrom(entry, getModuleInfo));
      const isShared = reached.filter((each) => each.has(id)).length > 1;
      return isShared || reached[0].has(id) ? baseName : null;
    },
  });
  const codes = new Map(output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file.code]] : [])));
  return output.map((file) => {
    if (file.type === 'chunk') return [file.fileName, checked(withOneExport(file.code))];
    return [file.fileName, withoutEnds(codes.get(file.fileName.replace(/\.map$/, '')) ?? '', String(file.source))];
  });
}

/**
 * The exports as one object, at the end of the file, where the source map has no places.
 * @param {string} code
 * @throws {Error} for an export that is not in the list at the end
 */
function withOneExport(code) {
  const joined = code.replace(/(?:^exports\.\w+ = [\w$]+;\n)+/m, (lines) => {
    const members = lines.replaceAll(/^exports\.(\w+) = ([\w$]+);$/gm, (_, name, value) =>
      name === value ? `\t${name},` : `\t${name}: ${value},`,
    );
    return `module.exports = {\n${members}};\n`;
  });
  if (/^(?:Object\.defineProperty\(exports,|exports\.)/m.test(joined))
    throw new Error('An export is not in the list at the end');
  return joined;
}

/** @param {string} code */
function checked(code) {
  const renamed = renamedIn(code);
  if (renamed.length > 0) {
    throw new Error(
      `In one scope these names exist twice: ${renamed.join(', ')}\n` +
        'Rename one of them. Where users see both names, export a named function expression: const a = function name() {}.',
    );
  }
  return code;
}

/**
 * All modules that an entry needs.
 * @param {string} entry
 * @param {import('rollup').GetModuleInfo} infoOf
 */
function reachedFrom(entry, infoOf) {
  const reached = new Set([path.resolve(entry)]);
  for (const id of reached) for (const next of infoOf(id)?.importedIds ?? []) reached.add(next);
  return reached;
}

/**
 * A compiled module with its map, in the layout in which it is published. A `require` of a node module becomes an import, which the bundler
 * merges for all modules.
 * @this {import('rollup').PluginContext}
 * @param {string} file
 */
function compiled(file) {
  const code = readFileSync(file, 'utf8')
    .replaceAll(/^const (\w+) = require\("(node:[^"]+)"\);$/gm, 'import $1 from "$2";')
    // A separate file, because it loads `node:http2`.
    .replaceAll(/require\(['"][./]+http2\/host\.js['"]\)/g, 'require("./http2.js")');
  // No doc comments of these folders: with them an installation is larger than 1.25 of Express's.
  const isBare = /[\\/](?:production|http2|v4|node|files|body|routing|core|wire|express)[\\/]/.test(file);
  const map = JSON.parse(readFileSync(`${file}.map`, 'utf8'));
  return asPublished({ code, map, isBare }, (text) => this.parse(text));
}

/**
 * Functions and classes that the bundler has renamed by adding `$1`. Other constants may be renamed: many modules have a
 * `log`, whose value has no name.
 * @param {string} code
 */
function renamedIn(code) {
  const names = new Set(code.match(/(?<![\w$])[\w$]+\$\d+(?![\w$])/g));
  const harmless = new Set(
    [...code.matchAll(/^const ([\w$]+) = (?!(?:async )?(?:function|class)\b|(?:async )?\(.*=>)/gm)].map(
      ([, name]) => name,
    ),
  );
  return [...names].filter((name) => !harmless.has(name)).map((name) => name.replace(/\$\d+$/, ''));
}
