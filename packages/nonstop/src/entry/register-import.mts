// Runs in node's loader thread, on nodes without module.registerHooks (before 22.15). It shares no memory with the
// application, so it is told by message what to redirect, and where the entries are.
import { createRequire, type InitializeHook, type ResolveHook } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { entryFor } from './which-express.js';

interface Redirection {
  readonly specifier: string;
  /** As a URL that ends with a slash. */
  readonly folder: string;
}

let redirection: Redirection | undefined;

export const initialize: InitializeHook<Redirection> = (data) => {
  redirection = data;
};

export const resolve: ResolveHook = (specifier, context, next) => {
  if (redirection === undefined || specifier !== redirection.specifier) return next(specifier, context);
  if (!context.conditions.includes('import')) return next(specifier, context);
  const importer = context.parentURL?.startsWith('file:') ? fileURLToPath(context.parentURL) : path.resolve('program');
  const entry = entryFor(importer, () => createRequire(importer).resolve(`${specifier}/package.json`));
  if (entry === undefined) return next(specifier, context);
  return { url: new URL(`${entry}.mjs`, redirection.folder).href, format: 'module', shortCircuit: true };
};
