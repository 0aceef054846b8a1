import Module = require('node:module');
import path = require('node:path');
import { fileURLToPath, pathToFileURL } from 'node:url';
import { standInFor, type StandIn } from './stand-in.js';

/**
 * `nonstop/register`: load it before an application (`--require` or `--import`). It replaces `express` by Nonstop in
 * `require`, `require.resolve`, `import` and `import.meta.resolve`.
 *
 * Each program gets the version that is installed next to it: where it would find Express 4, that is `nonstop/v4`; where it would
 * find Express 5 or none, `nonstop`. Others, Express 3 and previews, are left alone, and a line on stderr says so
 * (`NONSTOP_REGISTER=quiet` leaves it out, `explain` tells of each program).
 *
 * Besides the bare name, the modules inside of Express and of its `router` that packages patch are redirected:
 * `express/lib/response`, `express/lib/router/layer` of 4, `router` and `router/lib/layer` of 5, and so on. Everything else stays
 * what it is. Workers that run a file inherit the flag; one made from source text (`eval: true`) does
 * so with `--require` alone, because node runs no `--import` there.
 *
 * Loading it from code does the same for what this thread loads afterwards.
 *
 * @throws Error on a node without module hooks, and for an unknown NONSTOP_REGISTER
 * @see https://nodejs.org/api/module.html#customization-hooks
 */
const inEntry = (file: string): string => path.join(__dirname, file);
const faceOf = ({ name, hasFace }: StandIn): string => pathToFileURL(inEntry(name + (hasFace ? '.mjs' : '.js'))).href;

type ResolveFilename = (request: string, parent?: { readonly filename?: string | null }, ...rest: unknown[]) => string;
interface ResolveContext {
  readonly conditions: readonly string[];
  readonly parentURL?: string | undefined;
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

/** Functions that are missing in the types of Node 20. */
interface ModuleInternals {
  _resolveFilename: ResolveFilename;
  registerHooks?: (hooks: { resolve: Resolve }) => unknown;
  register?: (specifier: string, options: { parentURL: string; data: unknown }) => void;
}
const internals = Module as unknown as ModuleInternals;

redirectRequire();
redirectImport();

// node's module hooks do not cover require.resolve in Node 22, and Node 20 has none for require. Loaders have always
// replaced this function, and it works in every Node version.
function redirectRequire(): void {
  const resolveFilename = internals._resolveFilename;
  internals._resolveFilename = function (this: unknown, request, parent, ...rest) {
    const importer = parent?.filename ?? 'a program without a file';
    const found = standInFor(request, importer, (manifest) => resolveFilename.call(this, manifest, parent));
    return found === undefined ? resolveFilename.call(this, request, parent, ...rest) : inEntry(`${found.name}.js`);
  };
}

function redirectImport(): void {
  if (internals.registerHooks !== undefined) {
    internals.registerHooks({ resolve: resolveImport });
  } else if (internals.register !== undefined) {
    const data = { folder: pathToFileURL(`${__dirname}${path.sep}`).href };
    internals.register('./register-import.mjs', { parentURL: pathToFileURL(__filename).href, data });
  } else {
    throw new Error(`nonstop/register needs Node 20.19 or newer, this is ${process.version}`);
  }
}

function resolveImport(...[specifier, context, next]: Parameters<Resolve>): Resolved {
  if (!context.conditions.includes('import')) return next(specifier, context);
  const importer = context.parentURL?.startsWith('file:') ? fileURLToPath(context.parentURL) : path.resolve('program');
  const found = standInFor(specifier, importer, (manifest) => Module.createRequire(importer).resolve(manifest));
  return found === undefined
    ? next(specifier, context)
    : { url: faceOf(found), format: found.hasFace ? 'module' : 'commonjs', shortCircuit: true };
}
