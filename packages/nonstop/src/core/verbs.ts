type Method = (this: never, ...args: never[]) => unknown;

/** Adds a method under a name that is known at run time, such as a verb of HTTP. The function keeps its own name. */
export function defineVerb(target: object, name: string, method: Method): void {
  (target as Record<string, Method>)[name] = method;
}

/** Calls a method by its name; packages may have put another one there. */
export function callVerb(target: object, name: string, args: readonly unknown[]): unknown {
  return (target as Record<string, (...args: readonly unknown[]) => unknown>)[name](...args);
}
