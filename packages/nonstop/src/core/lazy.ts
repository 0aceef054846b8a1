import { setRealTimeout } from './clock.js';

/** In ms. An application that starts, and tests, have nothing to do with it yet. */
const BEHIND_START = 1000;
/** Between two modules, in ms: each takes up to 15. */
const PAUSE = 20;

type Load = () => unknown;

const ahead: Load[] = [];
const large: Load[] = [];
let begun = false;

/**
 * Defers `load` to the first call of the returned function and keeps what it gave, so that `require('nonstop')` does not
 * load what a small application never uses. When `load` throws, the next call tries again.
 */
export function onFirstUse<T>(load: () => T): () => T {
  let loaded: { readonly value: T } | undefined;
  return () => (loaded ??= { value: load() }).value;
}

/**
 * {@link onFirstUse} for a package that a request may need: it is loaded soon after an application was made. In a request it could be too late: the
 * release was removed by a later one, the process has no file descriptors left, or may no longer read its files.
 */
export function lazy<T>(load: () => T): () => T {
  const loaded = onFirstUse(load);
  ahead.push(loaded);
  return loaded;
}

/** {@link lazy} for a package that takes 400 KB and more: it is loaded if {@link loadAhead} asks for it. */
export function lazyLarge<T>(load: () => T): () => T {
  const loaded = onFirstUse(load);
  large.push(loaded);
  return loaded;
}

/** An application or a middleware was made whose requests may need these packages. */
export function loadAhead(...packages: readonly Load[]): void {
  ahead.push(...packages);
  // Jest fails the tests of a file if a module is loaded behind them.
  if (begun || process.env['JEST_WORKER_ID'] !== undefined) return;
  begun = true;
  setRealTimeout(loadNext, BEHIND_START).unref();
}

/** Loads all that requests may need now, if there is an application. */
export function loadAll(): void {
  if (!begun) return;
  for (const load of [...ahead.splice(0), ...large.splice(0)]) attempt(load);
}

function loadNext(): void {
  const load = ahead.shift();
  // Packages that are asked for later start anew.
  begun = load !== undefined;
  if (load === undefined) return;
  attempt(load);
  setRealTimeout(loadNext, PAUSE).unref();
}

/** What is missing may never be needed. If it is, the request gets the error. */
function attempt(load: Load): void {
  try {
    load();
  } catch {}
}
