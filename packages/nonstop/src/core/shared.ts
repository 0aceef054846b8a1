/** The major version of the package: all copies of it in one process share one registry. */
const MAJOR = 5;

const kShared = Symbol.for(`nonstop.${MAJOR}`);

interface Holder {
  [kShared]?: Record<string, unknown>;
}

/**
 * One value for all copies of this major version in a process. Package managers install several copies, and reloading the
 * module makes another.
 *
 * The meaning of a name never changes within a major version; a new meaning gets a new name.
 *
 * @param make makes the value; called once, by the first copy that asks
 * @returns the value of the first copy
 */
export function perProcess<T>(name: string, make: () => T): T {
  // Not on globalThis: test runners give each file its own global object, and report properties that are left on it.
  const holder = process as Holder;
  if (holder[kShared] === undefined) {
    Object.defineProperty(holder, kShared, { value: Object.create(null), configurable: true });
  }
  const shared = holder[kShared]!;
  if (!(name in shared)) shared[name] = make();
  return shared[name] as T;
}

/**
 * {@link perProcess}, kept on an object of node's: `process` is another one in each test file under Jest. The object refuses it if a program has
 * frozen it; then each copy has its own value.
 */
export function sharedOn<T>(holder: object, name: string, make: () => T): T {
  const key = sharedSymbol(name);
  const known = Object.getOwnPropertyDescriptor(holder, key);
  if (known !== undefined) return known.value as T;
  const value = make();
  Reflect.defineProperty(holder, key, { value });
  return value;
}

/** A symbol shared by all copies of this major version. */
export function sharedSymbol(name: string): symbol {
  return Symbol.for(`nonstop.${MAJOR}.${name}`);
}
