import fs = require('node:fs');
import path = require('node:path');
import { pathToFileURL } from 'node:url';
import { inPackage, inRepo } from './paths.js';

interface PackModule {
  pack(): Promise<string>;
  installTarball(tarball: string): Promise<string>;
}

/**
 * A project of a user, outside of the repository, in which the packed package is installed.
 *
 * `npm test` packs once for all Nodes and names the folder in NONSTOP_CONSUMER; a file that runs by itself packs what
 * `npm run build` has left in `dist/`, and removes the project when it is done.
 */
export async function packedConsumer(): Promise<string> {
  const prepared = process.env['NONSTOP_CONSUMER'];
  if (prepared !== undefined) return prepared;
  if (!fs.existsSync(inPackage('dist/entry/index.js'))) throw new Error('dist/ is not built: npm run build');
  const module = pathToFileURL(inRepo('scripts', 'lib', 'pack.mjs')).href;
  const { pack, installTarball } = (await import(module)) as PackModule;
  const folder = await installTarball(await pack());
  // Not by `after()`: called in a hook it would end with that hook.
  process.on('exit', () => fs.rmSync(path.resolve(folder), { recursive: true, force: true }));
  return folder;
}
