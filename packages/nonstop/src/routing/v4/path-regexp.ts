import { lazy } from '../../core/lazy.js';
import { QuickPattern, type PathSyntax } from '../layer/quick-pattern.js';
import type { LayerOptions } from '../layer/layer.js';

/** A group of the RegExp: a param with a name, or a number. */
export interface Key {
  name: string | number;
  optional: boolean;
  offset: number;
}

/** The RegExp of a layer, and the two cases in which Express 4 does not use it. */
export interface LayerRegExp extends RegExp {
  /** The path is `*`. */
  fast_star: boolean;
  /** Every path matches, and no prefix is removed. */
  fast_slash: boolean;
}

export interface Compiled {
  readonly keys: Key[];
  readonly regexp: LayerRegExp;
}

type PathToRegexp = (path: unknown, keys: Key[], options: LayerOptions) => RegExp;

const pathToRegexp = lazy(() => require('path-to-regexp-v0') as PathToRegexp);

/** @throws TypeError for a value that is not a path; SyntaxError for a path that gives no valid RegExp */
export function compilePath(path: unknown, options: LayerOptions): Compiled {
  const keys: Key[] = [];
  const regexp = pathToRegexp()(path, keys, options) as LayerRegExp;
  regexp.fast_star = path === '*';
  regexp.fast_slash = path === '/' && options.end === false;
  return { keys, regexp };
}

/** path-to-regexp 0.1, which copies characters that it does not know into its RegExp. */
const PATHS_OF_4: PathSyntax = {
  // oxlint-disable-next-line no-control-regex -- control characters are among what is left
  plain: /^[^{}()[\]+?:*\\/^$|\x00-\x1f\x7f-\uffff]*$/,
  param: /^:(\w+)$/,
  takesDoubledSlash: true,
};

/** The quick pattern of a path; undefined if it needs a RegExp. */
export function quickPattern(path: unknown, options: LayerOptions): QuickPattern | undefined {
  if (typeof path !== 'string') return undefined;
  const trailing = !options.strict;
  const settings = { sensitive: Boolean(options.sensitive), end: options.end !== false, trailing };
  // With `strict`, a mount path that ends in a slash (`/a/`) also matches where no slash follows it (`/a/b`).
  if (!trailing && !settings.end) return undefined;
  return QuickPattern.compile(trailing && path.endsWith('/') ? path.slice(0, -1) : path, settings, PATHS_OF_4);
}
