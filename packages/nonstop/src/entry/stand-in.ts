import fs = require('node:fs');
import path = require('node:path');
import { entryFor, entryIn, leaveAlone } from './which-express.js';

/** The file of this folder that is loaded instead of a module. */
export interface StandIn {
  /** Without its extension. */
  readonly name: string;
  /** Whether it also has an ES module form. */
  readonly hasFace: boolean;
}

/** Express, `router`, and their inner modules that packages load by path. */
const ASKED = /^(express|router)(?:\/(?:index|(lib\/[\w/]+?))(?:\.js)?)?$/;

/** The folder of the inner modules, by entry. */
const FOLDERS: Readonly<Record<string, string>> = { index: '.', v4: 'v4', 'router/index': 'router' };

/** Files that may be such a module, by their paths; the name in `package.json` decides. */
const INNER = /^(.+)[\\/](lib[\\/](?:\w+|(?:router|middleware)[\\/]\w+))\.js$/;
const ROUTER = /^(.+[\\/]router)[\\/](index)\.js$/;

/** A file of an installed Express. If that Express is not replaced, its files need its own router. */
const OWN_FILE = /[\\/]node_modules[\\/]express[\\/]/;

/**
 * Finds the replacement for a module that is not installed. An installed one keeps its place, and {@link standInAt} finds what is loaded there.
 *
 * @param specifier as the program wrote it
 * @param importer the path of the program
 * @param find as {@link entryFor} takes it
 * @returns undefined if node is to search as usual
 */
export function standInFor(
  specifier: string,
  importer: string,
  find: (specifier: string) => string,
): StandIn | undefined {
  const asked = ASKED.exec(specifier);
  if (asked === null) return undefined;
  const [, name = '', inner] = asked as readonly (string | undefined)[];
  const found = entryFor(name, importer, find);
  if (name === 'router' && OWN_FILE.test(importer) && entryFor('express', importer, find)?.entry === undefined) {
    if (found?.folder !== undefined) leaveAlone(found.folder);
    return undefined;
  }
  if (found?.entry === undefined || found.folder !== undefined) return undefined;
  if (inner === undefined) return { name: found.entry, hasFace: name === 'express' };
  const file = inEntry(found.entry, inner);
  return file === undefined ? undefined : { name: file, hasFace: false };
}

/**
 * Finds the replacement for an installed file.
 *
 * @param file its path
 * @returns a file of this folder, without its extension; undefined if the file itself is to be loaded
 */
export function standInAt(file: string): string | undefined {
  const [, folder, inner] = INNER.exec(file) ?? ROUTER.exec(file) ?? [];
  if (folder === undefined) return undefined;
  const entry = entryIn(folder);
  return entry === undefined ? undefined : inEntry(entry, inner.replaceAll('\\', '/'));
}

function inEntry(entry: string, inner: string): string | undefined {
  const file = path.posix.join(FOLDERS[entry], inner);
  return fs.existsSync(path.join(__dirname, `${file}.js`)) ? file : undefined;
}
