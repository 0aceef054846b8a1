import fs = require('node:fs');
import path = require('node:path');
import { entryFor } from './which-express.js';

/** What is loaded in the place of a module: a file of this folder. */
export interface StandIn {
  /** Without its extension. */
  readonly name: string;
  /** Whether it has an ES module face beside the CommonJS one. */
  readonly hasFace: boolean;
}

/** Express, `router`, and the modules inside of them that packages reach into. */
const REDIRECTED = /^(express|router)(?:\/(lib\/[\w/]+?)(?:\.js)?)?$/;

/** Where the inner modules are of what an entry stands for. */
const FOLDERS: Readonly<Record<string, string>> = { index: '.', v4: 'v4', 'router/index': 'router' };

/** Files of an Express that is left alone need the router that they were made for. */
const OWN_FILE = /[\\/]node_modules[\\/]express[\\/]/;

/**
 * What stands for a module that a program asks for.
 *
 * @param specifier as the program wrote it
 * @param importer the path of the program
 * @param find as {@link entryFor} takes it
 * @returns undefined where the program gets what is installed
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
