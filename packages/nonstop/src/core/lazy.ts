/**
 * Defers `load` to the first call of the returned function and keeps what it gave, so that `require('nonstop')` does not
 * pay for what a hello world never uses. A `load` that throws is tried again by the next call.
 */
export function lazy<T>(load: () => T): () => T {
  let loaded: { readonly value: T } | undefined;
  return () => (loaded ??= { value: load() }).value;
}
