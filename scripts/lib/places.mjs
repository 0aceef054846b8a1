import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/**
 * An expression for the package's files: whether the package is installed as `express`. A bundle that is an ES module has no
 * `__filename`.
 */
export const underAlias = String.raw`typeof __filename === 'string' && /[\\/]node_modules[\\/]express[\\/]dist[\\/]/.test(__filename)`;

/** Writes the texts of the files. @param {string} entry the folder of the compiled entries */
export const placeTexts = (entry) => createRequire(import.meta.url)(path.join(entry, 'place-text.js'));

/** The version of the router that Nonstop's replaces: agents read it. */
const ROUTER = '2.3.0';

/**
 * Files at the paths of Express's own modules. Agents find these modules by the folder of the package and the path in it,
 * so they find them here if the package is installed as `express`.
 * @param {string} entry the folder of the compiled entries
 * @param {4 | 5} express
 * @returns {Map<string, string>} texts by paths in the package
 */
export function placeFiles(entry, express) {
  const { placeText } = placeTexts(entry);
  const files = new Map();
  const put = (/** @type {string} */ file, /** @type {string} */ module) => {
    const up = '../'.repeat(file.split('/').length - 1);
    files.set(file, placeText(module, { entry: `${up}dist/entry`, router: `${up}dist/load-router.js` }));
  };
  const own = express === 4 ? 'v4/lib' : 'lib';
  for (const name of modulesIn(path.join(entry, own))) {
    // Express has no such file: `./router` is the folder there.
    if (name !== 'router') put(`lib/${name}.js`, `${own}/${name}`);
  }
  if (express === 4) return files;
  for (const name of modulesIn(path.join(entry, 'router')))
    put(`dist/node_modules/router/${name}.js`, `router/${name}`);
  // Loaded by its name, from a folder where the name resolves: some agents look for it there.
  files.set('dist/load-router.js', `'use strict';\nrequire('router');\n`);
  const manifest = { name: 'nonstop-router', version: ROUTER, private: true, main: 'index.js' };
  return files.set('dist/node_modules/router/package.json', `${JSON.stringify(manifest)}\n`);
}

/** @param {string} folder */
const modulesIn = (folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => name.slice(0, -'.js'.length).split(path.sep).join('/'));
