import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** Whether the package is installed in the place of Express: an expression in one of its files. */
export const underAlias = String.raw`/[\\/]node_modules[\\/]express[\\/]dist[\\/]/.test(__filename)`;

/** What writes the texts. @param {string} entry the folder of the compiled entries */
export const placeTexts = (entry) => createRequire(import.meta.url)(path.join(entry, 'place-text.js'));

/** The router whose place Nonstop's has: agents look at the version. */
const ROUTER = '2.3.0';

/**
 * Files that have the places of Express's own modules in the package. Agents know these modules by the name of the folder in which the
 * package is installed and by their paths there, so that they meet them where the package is installed as `express`.
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
  // By its name, from a folder where it is found under its name: some agents look for it there.
  files.set('dist/load-router.js', `'use strict';\nrequire('router');\n`);
  const manifest = { name: 'nonstop-router', version: ROUTER, private: true, main: 'index.js' };
  return files.set('dist/node_modules/router/package.json', `${JSON.stringify(manifest)}\n`);
}

/** @param {string} folder */
const modulesIn = (folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => name.slice(0, -'.js'.length).split(path.sep).join('/'));
