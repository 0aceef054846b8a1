import path = require('node:path');
import { standInAt, standInFor } from './stand-in.js';

/** What jest gives a resolver, as far as this one uses it. */
interface ResolverOptions {
  readonly basedir: string;
  readonly defaultResolver: (request: string, options: ResolverOptions) => string;
}

/**
 * A resolver of jest (`resolver: 'nonstop/jest'` in its settings): test files and what they load get Nonstop for `express`, of the version that
 * is installed. Jest loads modules itself, so that `nonstop/register` cannot reach them.
 *
 * @returns the path of a module
 * @throws Error of jest's own resolver, for a module that is not there
 */
function resolver(request: string, options: ResolverOptions): string {
  const { basedir, defaultResolver } = options;
  const importer = path.join(basedir, 'a test');
  const missing = standInFor(request, importer, (manifest) => defaultResolver(manifest, options));
  if (missing !== undefined) return inFolder(missing.name);
  const file = defaultResolver(request, options);
  const found = standInAt(file);
  return found === undefined ? file : inFolder(found);
}

function inFolder(name: string): string {
  return path.join(__dirname, `${name}.js`);
}

// For nonstop/register, which is loaded by the same process: it has nothing to say then.
(process as unknown as Record<symbol, boolean>)[Symbol.for('nonstop.jest')] = true;

export = resolver;
