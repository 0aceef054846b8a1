import fs = require('node:fs');
import path = require('node:path');
import { pathToFileURL } from 'node:url';
import { inPackage, inRepo } from './paths.js';

interface PackModule {
  pack(): Promise<string>;
  installTarball(tarball: string): Promise<string>;
}

/**
 * A user's project outside of the repository, in which the packed package is installed.
 *
 * `npm test` packs once for all versions of Node and passes the folder in NONSTOP_CONSUMER. A test file that runs alone packs
 * the `dist/` of the last `npm run build`, and removes the project at the end.
 */
export async function packedConsumer(): Promise<string> {
  const prepared = process.env['NONSTOP_CONSUMER'];
  if (prepared !== undefined) return prepared;
  if (!fs.existsSync(inPackage('dist/entry/index.js'))) throw new Error('dist/ is not built: npm run build');
  const module = pathToFileURL(inRepo('scripts', 'lib', 'pack.mjs')).href;
  const { pack, installTarball } = (await import(module)) as PackModule;
  const folder = await installTarball(await pack());
  // Not with `after()`: called inside a hook, it would run at the end of that hook.
  process.on('exit', () => fs.rmSync(path.resolve(folder), { recursive: true, force: true }));
  return folder;
}
