/**
 * Defers `load` to the first call of the returned function and keeps what it gave, so that `require('nonstop')` does not
 * load what a small application never uses. When `load` throws, the next call tries again.
 */
export function lazy<T>(load: () => T): () => T {
  let loaded: { readonly value: T } | undefined;
  return () => (loaded ??= { value: load() }).value;
}
