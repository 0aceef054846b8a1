/* oxlint-disable typescript/no-unnecessary-type-parameters -- each call says the type that it claims, which is what these are for */

/**
 * An object with members that node does not document or that its types leave out: `hidden<Methods>(NodeResponse.prototype)`.
 * The compiler cannot check the type that is given here; the tests of `node/` check the members on each Node.
 */
export function hidden<T extends object>(object: object): T {
  return object as T;
}

/** A function that works as a constructor, typed as one: its instances are cheaper than those of a class. */
export function asConstructor<Args extends unknown[] = [], Made = object>(fn: object): new (...args: Args) => Made {
  return fn as new (...args: Args) => Made;
}
