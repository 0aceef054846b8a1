import path = require('node:path');
import { textOf } from './forward.js';

/** The first line of each text: it tells a text from that of the file. A directive, as printers of code drop comments. */
const MARK = `'use strict'; 'nonstop/register';`;

/** What a module of Express loads of it and of its router. Agents wait for these modules, and know them by their places. */
const LOADS: Readonly<Record<string, readonly string[]>> = {
  'lib/express': ['./application', 'router', './request', './response'],
  'router/index': ['./lib/layer', './lib/route'],
  'v4/lib/express': ['./application', './middleware/query', './router/route', './router', './request', './response'],
  'v4/lib/router/index': ['./route', './layer'],
  'v4/lib/router/layer': ['path-to-regexp'],
};

/** Methods that agents rewrite, and what has them. */
const REWRITTEN: Readonly<Record<string, readonly [owner: string, names: readonly string[]]>> = {
  'lib/response': ['', ['render']],
  'router/index': ['.prototype', ['use', 'route', 'param']],
  'router/lib/layer': ['.prototype', ['handleRequest', 'handleError']],
  'v4/lib/response': ['', ['render']],
  'v4/lib/router/index': ['', ['use', 'route', 'param']],
  'v4/lib/router/layer': ['.prototype', ['handle_request', 'handle_error']],
};

/** Modules that are read by the names of their exports, which node finds in the text where `import` asks for them. */
const NAMES: Readonly<Record<string, string>> = {
  'lib/express': 'Route Router application json raw request response text urlencoded static:text',
  'lib/utils': 'compileETag compileQueryParser compileTrust etag methods normalizeType normalizeTypes setCharset wetag',
  'v4/lib/express': 'Route Router application json query raw request response text urlencoded static:text',
  'v4/lib/utils':
    'compileETag compileQueryParser compileTrust contentDisposition etag flatten isAbsolute normalizeType normalizeTypes setCharset wetag',
  'v4/lib/middleware/init': 'init',
};

/** A line that node finds these names in. A statement of its own: node would take it for another name of the whole module. */
export function namesLine(module: string): string {
  const names = NAMES[module];
  return names === undefined ? '' : `0 && (module.exports = { ${names.replaceAll(' ', ', ')} })`;
}

/** Modules that a text requires, as it names them. */
interface Names {
  /** This folder. */
  readonly entry: string;
  /** What loads Nonstop's router at the place of Express's. */
  readonly router: string;
}

/**
 * The text of a module that stands for one of Express's at its own place.
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

/** The same for a process: it requires the files of this folder by their absolute paths. */
export function textHere(module: string): string {
  return placeText(module, { entry: __dirname.split(path.sep).join('/'), router: 'router' });
}

/** Whether a text is one of these, or was made of one. */
export function isPlaceText(text: string): boolean {
  return text.includes('nonstop/register');
}
