import path = require('node:path');
import { textOf } from './forward.js';

/**
 * The first line of each text, which distinguishes it from the file's own. It is a directive, because code generators
 * drop comments.
 */
const MARK = `'use strict'; 'nonstop/register';`;

/**
 * The modules that a module of Express loads and agents wait for: of Express and its router, which they identify by their paths, and `http`. Nonstop
 * may have loaded `http` before the agent came.
 */
const LOADS: Readonly<Record<string, readonly string[]>> = {
  'lib/express': ['node:http', './application', 'router', './request', './response'],
  'router/index': ['./lib/layer', './lib/route'],
  'v4/lib/express': [
    'node:http',
    './application',
    './middleware/query',
    './router/route',
    './router',
    './request',
    './response',
  ],
  'v4/lib/router/index': ['./route', './layer'],
  'v4/lib/router/layer': ['path-to-regexp'],
};

/** Methods that agents rewrite, with their objects. */
const REWRITTEN: Readonly<Record<string, readonly [owner: string, names: readonly string[]]>> = {
  'lib/response': ['', ['render']],
  'router/index': ['.prototype', ['use', 'route', 'param']],
  'router/lib/layer': ['.prototype', ['handleRequest', 'handleError']],
  'v4/lib/response': ['', ['render']],
  'v4/lib/router/index': ['', ['use', 'route', 'param']],
  'v4/lib/router/layer': ['.prototype', ['handle_request', 'handle_error']],
};

/** Modules whose export names node reads from the text for `import`. */
const NAMES: Readonly<Record<string, string>> = {
  'lib/express': 'Route Router application json raw request response text urlencoded static:text',
  'lib/utils': 'compileETag compileQueryParser compileTrust etag methods normalizeType normalizeTypes setCharset wetag',
  'router/index': 'Route',
  'v4/lib/express': 'Route Router application json query raw request response text urlencoded static:text',
  'v4/lib/utils':
    'compileETag compileQueryParser compileTrust contentDisposition etag flatten isAbsolute normalizeType normalizeTypes setCharset wetag',
  'v4/lib/middleware/init': 'init',
};

/**
 * A line in which node finds these names. It is a separate statement, because node would otherwise treat it as a
 * re-export of the whole module.
 */
export function namesLine(module: string): string {
  const names = NAMES[module];
  return names === undefined ? '' : `0 && (module.exports = { ${names.replaceAll(' ', ', ')} })`;
}

/** Modules that a text requires, by the names in it. */
interface Names {
  /** This folder. */
  readonly entry: string;
  /** The code that loads Nonstop's router at the path of Express's. */
  readonly router: string;
}

/**
 * The text of a module that replaces one of Express's at its own path.
 *
 * @param module its file in this folder, without the extension
 */
export function placeText(module: string, { entry, router }: Names): string {
  const required = (name: string): string => `require(${JSON.stringify(`${entry}/${name}.js`)})`;
  const loads = (LOADS[module] ?? []).map((name) => `require(${JSON.stringify(name === 'router' ? router : name)});`);
  const lines = [MARK, ...loads, `module.exports = ${required(module)};`, `${namesLine(module)};`];
  const [owner, names] = REWRITTEN[module] ?? ['', []];
  if (names.length > 0) lines.push(`const forwarding = ${required('forward')}.forward(module.exports${owner});`);
  for (const name of names) lines.push(`forwarding.methods.${name} = ${textOf(name)};`);
  if (names.length > 0) lines.push('forwarding.put();');
  return `${lines.join('\n')}\n`;
}

/**
 * `match()` of router 2.3 returns what it found; before, it leaves that on the layer. The version is read from the file:
 * `require()` would load one more module of Express, which agents see.
 */
const AS_OLDER_ROUTERS = `const { version } = JSON.parse(require('node:fs').readFileSync(__dirname + '/../package.json', 'utf8'));
if (/^2\\.[0-2]\\./.test(version)) module.exports.leaveMatches();
`;

/** Express loads view engines from here. It is loaded by the application's module, as in Express: errors of a missing engine name both. */
const LOADS_VIEW = `require('./view');\n`;

/** {@link placeText} for this process, which requires the files of this folder by their absolute paths. */
export function textHere(module: string): string {
  const entry = __dirname.split(path.sep).join('/');
  const text = placeText(module, { entry, router: 'router' });
  switch (module) {
    case 'router/lib/layer':
      return text + AS_OLDER_ROUTERS;
    case 'lib/application':
    case 'v4/lib/application':
      return text + LOADS_VIEW;
    case 'lib/view':
    case 'v4/lib/view': {
      const major = module === 'lib/view' ? 5 : 4;
      return `${text}require(${JSON.stringify(`${entry}/lib/view.js`)}).standsFor(${major}, __filename, require);\n`;
    }
    default:
      return text;
  }
}

/** Whether a text is one of {@link placeText}, or was generated from one. */
export function isPlaceText(text: string): boolean {
  return text.includes('nonstop/register');
}
