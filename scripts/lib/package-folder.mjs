import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inPackage } from './paths.mjs';
import { placeFiles, underAlias } from './places.mjs';

/** The version of Express that `nonstop@4` replaces. */
const EXPRESS_4 = '4.22';

/**
 * The version of `nonstop@4` for one of `nonstop@5`: it combines the minor version and the patch into one number.
 * @param {string} version such as 5.1.2 or 5.0.0-alpha.3
 * @returns {string} such as 4.22.102 or 4.22.0-alpha.3
 * @throws {Error} in one line, for a version of another form
 */
export function versionOf4(version) {
  const [, minor, patch, rest] = /^5\.(\d+)\.(\d{1,2})(-.+)?$/.exec(version) ?? [];
  if (minor === undefined) throw new Error(`'${version}' is not a version such as 5.0.0 or 5.1.2-alpha.1`);
  return `${EXPRESS_4}.${Number(minor) * 100 + Number(patch)}${rest ?? ''}`;
}

/**
 * The manifest of `nonstop@4`: the package with Express 4 as its main export.
 * @param {Record<string, any>} manifest of `nonstop@5`
 */
export function manifestOf4(manifest) {
  const of4 = manifest.exports['./v4'];
  return {
    ...manifest,
    version: versionOf4(manifest.version),
    description: manifest.description.replace(/^Express\b/, 'Express 4'),
    main: of4.require.default,
    types: of4.require.types,
    exports: Object.fromEntries(
      Object.entries(manifest.exports).map(([name, target]) => {
        if (name === '.') return [name, of4];
        return name.startsWith('./lib/') ? [name, manifest.exports[name.replace('./', './v4/')]] : [name, target];
      }),
    ),
  };
}

/**
 * Writes the files to publish into a folder, from the dist/ of `npm run build`.
 * @param {string} folder is emptied first
 * @param {{ express?: 4 | 5, version?: string }} [what] the Express of the main export (default 5); a version other than that of these sources
 * @returns {string} the version
 */
export function writePackage(folder, { express = 5, version } = {}) {
  const manifest = JSON.parse(readFileSync(inPackage('package.json'), 'utf8'));
  const written = express === 4 ? manifestOf4(manifest) : manifest;
  if (version !== undefined) written.version = version;
  // The scripts belong to the repository, and `npm pack` would run them.
  delete written.scripts;
  delete written.devDependencies;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of ['dist', 'lib', 'LICENSE', 'README.md'])
    cpSync(inPackage(name), path.join(folder, name), { recursive: true });
  if (express === 4) writePlacesOf4(folder);
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(written, null, 2)}\n`);
  return written.version;
}

/** Express 4 has its own modules under the names of those of 5. @param {string} folder of the package */
function writePlacesOf4(folder) {
  for (const name of ['lib', 'dist/load-router.js', 'dist/node_modules'])
    rmSync(path.join(folder, name), { recursive: true });
  const entry = path.join(folder, 'dist', 'entry');
  for (const [name, text] of placeFiles(entry, 4)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  const file = path.join(entry, 'v4.js');
  const [mark, line] = readFileSync(file, 'utf8').trim().split('\n');
  writeFileSync(file, `${mark}\nif (${underAlias}) module.exports = require('../../lib/express.js');\nelse ${line}\n`);
}
