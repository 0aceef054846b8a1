import { setRealTimeout } from './clock.js';

/** In ms. An application that starts, and tests, have nothing to do with it yet. */
const BEHIND_START = 1000;
/** Between two modules, in ms: each takes up to 15. */
const PAUSE = 20;

type Load = () => unknown;

/** Not every application uses these; the packages of each take 400 KB of V8's heap and more. */
type Part = 'bodies' | 'media types' | 'files' | 'nested queries';

/** Those that are not loaded yet, each once: a program may make a parser for each request. */
const ahead = new Set<Load>();
const waiting = new Map<Load, Part>();
const used = new Set<Part>();
let wanted = false;
let running = false;

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
  ahead.add(loaded);
  return loaded;
}

/** {@link lazy} for a package that is loaded soon if the application uses this part of Nonstop; on first use if not. */
export function lazyPart<T>(part: Part, load: () => T): () => T {
  const loaded = onFirstUse(load);
  waiting.set(loaded, part);
  return loaded;
}

/**
 * An application or a middleware was made, so that requests come. Loads what they may need, soon.
 *
 * @param parts also what these need
 */
export function loadAhead(...parts: readonly Part[]): void {
  wanted = true;
  for (const part of parts) used.add(part);
  for (const [load, part] of waiting) if (used.has(part) && waiting.delete(load)) ahead.add(load);
  // Jest fails the tests of a file if a module is loaded behind them.
  if (running || ahead.size === 0 || process.env['JEST_WORKER_ID'] !== undefined) return;
  running = true;
  setRealTimeout(loadNext, BEHIND_START).unref();
}

/** Loads all that requests may need now, if requests come. */
export function loadAll(): void {
  if (!wanted) return;
  for (const load of [...ahead, ...waiting.keys()]) attempt(load);
  ahead.clear();
  waiting.clear();
}

function loadNext(): void {
  const [load] = ahead;
  running = load !== undefined;
  if (load === undefined) return;
  ahead.delete(load);
  attempt(load);
  setRealTimeout(loadNext, PAUSE).unref();
}

/** What is missing may never be needed. If it is, the request gets the error. */
function attempt(load: Load): void {
  try {
    load();
  } catch {}
}
