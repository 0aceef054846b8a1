import fs = require('node:fs');
import path = require('node:path');
import { entryFor } from './which-express.js';

/** The file of this folder that is loaded instead of a module. */
export interface StandIn {
  /** Without its extension. */
  readonly name: string;
  /** Whether it also has an ES module form. */
  readonly hasFace: boolean;
}

/** Express, `router`, and their inner modules that packages load by path. */
const REDIRECTED = /^(express|router)(?:\/(lib\/[\w/]+?)(?:\.js)?)?$/;

/** The folder of the inner modules, by entry. */
const FOLDERS: Readonly<Record<string, string>> = { index: '.', v4: 'v4', 'router/index': 'router' };

/** Files of an Express that is not replaced need their own router. */
const OWN_FILE = /[\\/]node_modules[\\/]express[\\/]/;

/**
 * Finds the replacement for a module that a program loads.
 *
 * @param specifier as the program wrote it
 * @param importer the path of the program
 * @param find as {@link entryFor} takes it
 * @returns undefined if the program gets the installed module
 */
export function standInFor(
  specifier: string,
  importer: string,
  find: (specifier: string) => string,
): StandIn | undefined {
  const asked = REDIRECTED.exec(specifier);
  if (asked === null) return undefined;
  const [, name, inner] = asked as unknown as [string, string, string | undefined];
  if (name === 'router' && OWN_FILE.test(importer)) return undefined;
  const entry = entryFor(name, importer, find);
  if (entry === undefined) return undefined;
  if (inner === undefined) return { name: entry, hasFace: name === 'express' };
  const file = path.join(FOLDERS[entry], inner);
  return fs.existsSync(path.join(__dirname, `${file}.js`)) ? { name: file, hasFace: false } : undefined;
}
