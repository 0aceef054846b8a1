// Runs in node's loader thread, in Node versions without module.registerHooks (before 22.15). It shares no memory with
// the application, so a message tells it where the entries are.
import { createRequire, type InitializeHook, type ResolveHook } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

// Not by `import`: with the hooks of another loader, such as jiti, an imported CommonJS module cannot load the modules that it requires.
const { standInFor } = createRequire(import.meta.url)('./stand-in.js') as typeof import('./stand-in.js');

interface Redirection {
  /** As a URL that ends with a slash. */
  readonly folder: string;
}

let redirection: Redirection | undefined;

export const initialize: InitializeHook<Redirection> = (data) => {
  redirection = data;
};

export const resolve: ResolveHook = (specifier, context, next) => {
  if (redirection === undefined || !context.conditions.includes('import')) return next(specifier, context);
  const importer = context.parentURL?.startsWith('file:') ? fileURLToPath(context.parentURL) : path.resolve('program');
  const found = standInFor(specifier, importer, (manifest) => createRequire(importer).resolve(manifest));
  if (found === undefined) return next(specifier, context);
  const { href } = new URL(found.name + (found.hasFace ? '.mjs' : '.js'), redirection.folder);
  return { url: href, format: found.hasFace ? 'module' : 'commonjs', shortCircuit: true };
};
