import { rollup } from 'rollup';
import { minify } from 'terser';

/**
 * All modules that an entry reaches in one scope, in the order in which they would run, without comments and white space.
 *
 * Names stay what they are in the sources. Those of functions and classes show in `app.router.stack` and stack traces,
 * those of variables in messages: `field.toLowerCase is not a function` (docs/decisions/0008). Variables within functions of
 * the engine are shortened: no message of Express's comes from there.
 * @param {string} entry an ES module
 * @throws {Error} when a name would change
 */
export async function bundle(entry) {
  const joined = await join(entry);
  const renamed = renamedIn(joined);
  if (renamed.length > 0) {
    throw new Error(
      `In one scope these names are there twice: ${renamed.join(', ')}\n` +
        'Change one or, where users see both, write that function as a method: methods keep their names.',
    );
  }
  const { code } = await minify(joined, {
    ecma: 2020,
    mangle: false,
    compress: { ...shorter, defaults: false, keep_fnames: true, keep_classnames: true },
    // Short enough for a place in a stack trace to be found there.
    format: { max_line_len: 400 },
  });
  return `${code}\n`;
}

/** One module as it is, but for its comments and as the sources are indented. @param {string} code */
export async function withoutComments(code) {
  const { code: bare } = await minify(code, {
    compress: false,
    mangle: false,
    format: { beautify: true, comments: false, indent_level: 2, quote_style: 3 },
  });
  return `${bare}\n`;
}

/** What says the same in fewer characters and leaves every expression with the variables that it has. */
const shorter = {
  booleans: true,
  comparisons: true,
  conditionals: true,
  if_return: true,
  join_vars: true,
  sequences: true,
};

/** @param {string} entry */
async function join(entry) {
  const modules = await rollup({
    input: entry,
    external: /^node:/,
    plugins: [
      { name: 'http-once', transform: importOfHttp },
      { name: 'short-variables', transform: shortVariables },
    ],
    onwarn: ({ message }) => {
      throw new Error(message);
    },
  });
  const { output } = await modules.generate({
    format: 'cjs',
    esModule: false,
    externalLiveBindings: false,
    generatedCode: { preset: 'es2015', symbols: false },
    interop: 'default',
  });
  return output[0].code;
}

/**
 * Shortens variables within functions of the engine.
 *
 * @param {string} code
 * @param {string} id path of the module
 */
async function shortVariables(code, id) {
  if (!/[\\/](?:core|wire|http)[\\/]/.test(id)) return null;
  const { code: short } = await minify(code, {
    ecma: 2020,
    compress: false,
    mangle: { toplevel: false, keep_fnames: true, keep_classnames: true },
    format: { beautify: true },
  });
  return short;
}

/** As an import the bundler takes it once, and not for each of many modules. @param {string} code */
const importOfHttp = (code) => code.replace('const http = require("node:http");', 'import http from "node:http";');

/**
 * What the bundler has renamed, which it does by a `$1` at the end. Constants of modules may be: `log` and `http` are in
 * many, and what is behind them has no name of its own or another one.
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
