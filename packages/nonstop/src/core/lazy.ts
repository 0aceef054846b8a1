import { setRealTimeout } from './clock.js';

/** In ms. An application that starts, and most tests, do not need these packages yet. */
const AFTER_START = 1000;
/** The time between two packages, in ms: loading one takes up to 15. */
const PAUSE = 20;

type Load = () => unknown;

/** Parts of Nonstop that not every application uses; the packages of each take 400 KB of V8's heap and more. */
type Part = 'bodies' | 'media types' | 'files' | 'nested queries';

/** What is to be loaded soon. */
const ahead = new Set<Load>();
/** What is loaded soon if an application uses its part. */
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
 * {@link onFirstUse} for a package that a request may need: it is loaded soon after an application was made. In a request it could be too late: a
 * later release may have replaced the files, or the process may have no file descriptors left, or no permission to read.
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
 * Called when an application or a middleware is made. Loads soon what its requests may need.
 *
 * @param parts the parts that it uses
 */
export function loadAhead(...parts: readonly Part[]): void {
  wanted = true;
  for (const part of parts) used.add(part);
  for (const [load, part] of waiting) if (used.has(part) && waiting.delete(load)) ahead.add(load);
  if (running || ahead.size === 0) return;
  if (isTest()) {
    loadAll();
    return;
  }
  running = true;
  setRealTimeout(loadNext, AFTER_START).unref();
}

/** Tests take files away (mock-fs, memfs), and Jest fails a test file if a module is loaded after its tests. */
const isTest = (): boolean => process.env['NODE_ENV'] === 'test' || process.env['JEST_WORKER_ID'] !== undefined;

/** Loads at once all that requests may need, if an application or a middleware was made. */
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

/** An error is ignored: a package that cannot be loaded may never be needed. If it is, the request gets the error. */
function attempt(load: Load): void {
  try {
    load();
  } catch {}
}
