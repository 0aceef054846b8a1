import path = require('node:path');
import { standInAt, standInFor } from './stand-in.js';
import { say } from './which-express.js';

/** The used part of jest's options for a resolver. */
interface ResolverOptions {
  readonly basedir: string;
  /** Since jest 28. */
  readonly conditions?: readonly string[];
  readonly defaultResolver: (request: string, options: ResolverOptions) => string;
}

/**
 * A resolver of jest (`resolver: 'nonstop/jest'` in its settings): test files and the modules that they load get Nonstop
 * for `express`, in the installed version. Jest loads modules itself, so `nonstop/register` cannot reach them.
 *
 * @returns the path of a module
 * @throws Error of jest's own resolver, for a missing module; and for a version of jest that asks for node's own modules
 */
function resolver(request: string, options: ResolverOptions): string {
  const { basedir, defaultResolver } = options;
  if (request.startsWith('node:') && options.conditions === undefined) throw tooOld(request);
  const importer = path.join(basedir, 'a test');
  const missing = standInFor(request, importer, (manifest) => defaultResolver(manifest, options));
  if (missing !== undefined) return inFolder(missing.name);
  const file = defaultResolver(request, options);
  const found = standInAt(file);
  return found === undefined ? file : inFolder(found);
}

/**
 * Jest 27 and newer know node's own modules by such names, and call a resolver only for those that a test mocks. Jest 26 would read a file of that name. It does
 * not print the error of a resolver, so the line goes to stderr.
 */
function tooOld(request: string): Error {
  say(
    'jest 26 and older do not know the names of modules that start with node: and cannot load Nonstop; use jest 27 or newer',
  );
  return new Error(`Cannot find module '${request}'`);
}

function inFolder(name: string): string {
  return path.join(__dirname, `${name}.js`);
}

// A mark for nonstop/register in the same process, which then prints no warning.
Reflect.set(process, Symbol.for('nonstop.jest'), true);

export = resolver;
