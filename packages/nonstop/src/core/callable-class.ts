import { asConstructor, hidden } from './hidden.js';

type Class = new (...args: never[]) => object;

/**
 * Makes of a class what the constructors of Express are: a function. Programs call it without `new`, or for an object of their own
 * (`Route.call(this, path)` behind `util.inherits()`), and list the methods of its prototype. It is the `constructor` of its instances.
 * Not a Proxy, which some Nodes show as such where the class is printed.
 *
 * @param methods the names of the methods that a `for` over the prototype finds
 */
export function callableClass<C extends Class>(original: C, methods: readonly string[]): C {
  const construct = (args: never[], target: Class): object => Reflect.construct(original, args, target);
  function made(this: unknown, ...args: never[]): object {
    if (new.target !== undefined) return construct(args, asConstructor(new.target));
    return this instanceof callable ? Object.assign(this, construct(args, like(this))) : construct(args, callable);
  }
  const prototype = original.prototype as object;
  made.prototype = prototype;
  const { prototype: _, ...statics } = Object.getOwnPropertyDescriptors(original);
  Object.defineProperties(made, statics as PropertyDescriptorMap);
  const callable = hidden<C>(made);
  Object.defineProperty(prototype, 'constructor', { value: callable });
  for (const method of methods) Object.defineProperty(prototype, method, { enumerable: true });
  return callable;
}

/** A constructor whose instances have the prototype of `instance`, so that the class finds the methods that its heir replaces. */
function like(instance: object): Class {
  function Like(): void {}
  Like.prototype = Object.getPrototypeOf(instance) as object;
  return asConstructor(Like);
}
