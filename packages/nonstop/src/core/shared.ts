/** The major version of the package: its copies in one process share what is registered under it. */
const MAJOR = 5;

const kShared = Symbol.for(`nonstop.${MAJOR}`);

interface Holder {
  [kShared]?: Record<string, unknown>;
}

/**
 * One value for all copies of this major version in a process: package managers install several, and a reload makes another.
 *
 * What stands under a name never changes its meaning within the major version; a new meaning gets a new name.
 *
 * @param make called by the first copy that asks
 * @returns what the first copy made
 */
export function perProcess<T>(name: string, make: () => T): T {
  // Not globalThis: test runners give each file a global object of its own, and look for what is left on it.
  const holder = process as Holder;
  if (holder[kShared] === undefined) {
    Object.defineProperty(holder, kShared, { value: Object.create(null), configurable: true });
  }
  const shared = holder[kShared]!;
  if (!(name in shared)) shared[name] = make();
  return shared[name] as T;
}

/** A symbol that all copies of this major version have in common. */
export function sharedSymbol(name: string): symbol {
  return Symbol.for(`nonstop.${MAJOR}.${name}`);
}
