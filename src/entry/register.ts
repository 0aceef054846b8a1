import Module = require('node:module');
import path = require('node:path');
import { pathToFileURL } from 'node:url';

/**
 * `nonstop/register`: loaded before an application (`--require` or `--import`), it makes `express` mean Nonstop in
 * `require`, `require.resolve`, `import` and `import.meta.resolve`. Only the bare name is redirected: `express/...` and
 * every other package stay what they are. Workers that run a file inherit the flag; one made from source text
 * (`eval: true`) does so with `--require` alone, because node runs no `--import` there.
 *
 * Loading it from code does the same for what this thread loads afterwards.
 *
 * @throws Error on a node without module hooks
 * @see https://nodejs.org/api/module.html#customization-hooks
 */
const REDIRECTED = 'express';
const FOR_REQUIRE = path.join(__dirname, 'index.js');
const FOR_IMPORT = pathToFileURL(path.join(__dirname, 'index.mjs')).href;

type ResolveFilename = (request: string, ...rest: unknown[]) => string;
interface ResolveContext {
  readonly conditions: readonly string[];
}
interface Resolved {
  readonly url: string;
  readonly format?: string;
  readonly shortCircuit?: boolean;
}
type Resolve = (
  specifier: string,
  context: ResolveContext,
  next: (specifier: string, context: ResolveContext) => Resolved,
) => Resolved;

/** What node has but its types of Node 20 do not name. */
interface ModuleInternals {
  _resolveFilename: ResolveFilename;
  registerHooks?: (hooks: { resolve: Resolve }) => unknown;
  register?: (specifier: string, options: { parentURL: string; data: unknown }) => void;
}
const internals = Module as unknown as ModuleInternals;

redirectRequire();
redirectImport();

// node's module hooks could redirect require as well, but on Node 22 they leave require.resolve out, and Node 20 has
// none for require. Replacing this function is what loaders have always done, and every node honours it.
function redirectRequire(): void {
  const resolveFilename = internals._resolveFilename;
  internals._resolveFilename = function (this: unknown, request, ...rest) {
    return request === REDIRECTED ? FOR_REQUIRE : resolveFilename.call(this, request, ...rest);
  };
}

function redirectImport(): void {
  if (internals.registerHooks !== undefined) {
    internals.registerHooks({ resolve: resolveImport });
  } else if (internals.register !== undefined) {
    const data = { specifier: REDIRECTED, url: FOR_IMPORT };
    internals.register('./register-import.mjs', { parentURL: pathToFileURL(__filename).href, data });
  } else {
    throw new Error(`nonstop/register needs Node 20.19 or newer, this is ${process.version}`);
  }
}

function resolveImport(...[specifier, context, next]: Parameters<Resolve>): Resolved {
  if (specifier !== REDIRECTED || !context.conditions.includes('import')) return next(specifier, context);
  return { url: FOR_IMPORT, format: 'module', shortCircuit: true };
}
