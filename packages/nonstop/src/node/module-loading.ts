import Module = require('node:module');

type Resolve = (request: string, parent?: { readonly filename?: string | null }, ...rest: unknown[]) => string;
type Compile = (this: unknown, text: string, file: string, ...rest: unknown[]) => unknown;
type Extension = (module: { _compile: Compile }, file: string) => void;

/** The functions by which node loads CommonJS modules. Loaders have always replaced them. */
interface Loading {
  _resolveFilename?: Resolve;
  readonly _extensions?: { '.js'?: Extension };
  readonly prototype?: { _compile?: Compile };
}

const nodesModule: object = Module;
const loading = nodesModule as Loading;

/**
 * Calls `find` before each search for the file of a `require()`. node's module hooks do not cover `require.resolve` in Node 22, and
 * Node 20 has none for `require`.
 *
 * @param find called with what is required, the requiring file (undefined for a program without one) and a function that searches as node
 *   does from there; returns the path of a file, or undefined to search as usual
 * @returns false if this Node has no such function: `find` is never called then
 */
export function redirectRequire(
  find: (request: string, importer: string | undefined, search: (request: string) => string) => string | undefined,
): boolean {
  const { _resolveFilename: resolve } = loading;
  if (typeof resolve !== 'function') return false;
  loading._resolveFilename = function (this: unknown, request, parent, ...rest) {
    // The rest has the option `paths` of `require.resolve()`.
    const search = (other: string): string => resolve.call(this, other, parent, ...rest);
    return find(request, parent?.filename ?? undefined, search) ?? resolve.call(this, request, parent, ...rest);
  };
  return true;
}

/**
 * Passes the text of every CommonJS module through `replace` before it is compiled. Loaders that read files themselves end here too.
 *
 * @returns false if this Node has no such function
 */
export function replaceCompiled(replace: (text: string, file: string) => string): boolean {
  const { prototype } = loading;
  const compile = prototype?._compile;
  if (typeof compile !== 'function') return false;
  prototype!._compile = function (text, file, ...rest) {
    return compile.call(this, replace(text, file), file, ...rest);
  };
  return true;
}

/**
 * Gives `require()` a text in place of a file's own. It goes through `_compile`, which agents replace in order to rewrite a text.
 *
 * @param textAt gives the text for a file, or undefined for the file's own
 * @returns false if this Node has no such function
 */
export function replaceRead(textAt: (file: string) => string | undefined): boolean {
  const extensions = loading._extensions;
  const read = extensions?.['.js'];
  if (typeof read !== 'function') return false;
  extensions!['.js'] = (module, file) => {
    const text = textAt(file);
    if (text === undefined) read(module, file);
    else module._compile(text, file);
  };
  return true;
}
