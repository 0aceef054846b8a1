import path = require('node:path');
import { standInAt, standInFor } from './stand-in.js';

/** The used part of jest's options for a resolver. */
interface ResolverOptions {
  readonly basedir: string;
  readonly defaultResolver: (request: string, options: ResolverOptions) => string;
}

/**
 * A resolver of jest (`resolver: 'nonstop/jest'` in its settings): test files and the modules that they load get Nonstop
 * for `express`, in the installed version. Jest loads modules itself, so `nonstop/register` cannot reach them.
 *
 * @returns the path of a module
 * @throws Error of jest's own resolver, for a missing module
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

// A mark for nonstop/register in the same process, which then prints no warning.
Reflect.set(process, Symbol.for('nonstop.jest'), true);

export = resolver;
