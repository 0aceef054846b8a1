import { METHODS } from 'node:http';

/** Every method that node's parser knows, in lower case: the names of `app.get`, `router.post`, `route.query` and so on. */
export const methods: readonly string[] = METHODS.map((method) => method.toLowerCase());

/**
 * `method.toLowerCase()` without a call into the runtime for the methods that nearly all requests have.
 *
 * @param method `req.method`; middleware may have set any value, and one that is no known method is returned as it is
 */
export function lowerMethod(method: unknown): unknown {
  switch (method) {
    case 'GET':
      return 'get';
    case 'POST':
      return 'post';
    case 'HEAD':
      return 'head';
    default:
      return typeof method === 'string' ? method.toLowerCase() : method;
  }
}

type Method = (this: never, ...args: never[]) => unknown;

/** Adds a method under a name that is known at run time, such as a verb of HTTP. The function keeps its own name. */
export function defineVerb(target: object, name: string, method: Method): void {
  // Not by assignment: `bind` is a verb, too. A function inherits it, and assigning throws if a program has frozen `Function.prototype`.
  Object.defineProperty(target, name, { value: method, writable: true, enumerable: true, configurable: true });
}

/** Calls a method by its name, which packages may have replaced. */
export function callVerb(target: object, name: string, args: readonly unknown[]): unknown {
  return (target as Record<string, (...args: readonly unknown[]) => unknown>)[name](...args);
}
