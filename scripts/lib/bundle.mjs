import { readFileSync } from 'node:fs';
import { rollup } from 'rollup';

/**
 * Joins all modules that an entry reaches into one scope, in the order in which they would run. The result stays readable: names,
 * line ends and comments are those of the sources.
 *
 * Names stay because people see them: those of functions and classes in `app.router.stack` and in stack traces, those of variables in
 * messages such as `field.toLowerCase is not a function` (docs/decisions/0013).
 * @param {string} entry an ES module, with the compiler's source map beside it
 * @param {string} target where the result will be: the source map names the sources from there
 * @returns {Promise<{ code: string, map: string }>} `code` ends with the reference to the map, `target` with `.map` added
 * @throws {Error} when the name of a function or class would change
 */
export async function bundle(entry, target) {
  const modules = await rollup({
    input: entry,
    external: /^node:/,
    plugins: [{ name: 'compiled', load: compiled }],
    onwarn: ({ message }) => {
      throw new Error(message);
    },
  });
  const { output } = await modules.generate({
    format: 'cjs',
    file: target,
    sourcemap: true,
    esModule: false,
    externalLiveBindings: false,
    generatedCode: { preset: 'es2015', symbols: false },
    interop: 'default',
  });
  const [{ code, map }] = output;
  const renamed = renamedIn(code);
  if (renamed.length > 0) {
    throw new Error(
      `In one scope these names exist twice: ${renamed.join(', ')}\n` +
        'Rename one of them. Where users see both names, export a named function expression: const a = function name() {}.',
    );
  }
  return { code, map: `${String(map)}\n` };
}

/**
 * A module as the compiler left it, with its map. A `require` of node's becomes an import, of which the bundler keeps one for all modules.
 * @param {string} file
 */
function compiled(file) {
  const code = readFileSync(file, 'utf8').replaceAll(
    /^const (\w+) = require\("(node:[^"]+)"\);$/gm,
    'import $1 from "$2";',
  );
  return { code, map: JSON.parse(readFileSync(`${file}.map`, 'utf8')) };
}

/**
 * Functions and classes that the bundler has renamed, which it does by a `$1` at the end. Other constants of modules may be renamed:
 * many modules have a `log`, and its value has no name of its own.
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
