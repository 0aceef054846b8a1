import { asConstructor, hidden } from './hidden.js';

type Class = new (...args: never[]) => object;

/**
 * Turns a class into a function, as the constructors of Express are. Programs call it without `new`, or for an object of their own
 * (`Route.call(this, path)` after `util.inherits()`), and list the methods of its prototype. It is the `constructor` of its instances.
 * Not a Proxy, because some Nodes print one as such.
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

/** A constructor whose instances have the prototype of `instance`, so that the class calls the methods that a subclass replaces. */
function like(instance: object): Class {
  function Like(): void {}
  Like.prototype = Object.getPrototypeOf(instance) as object;
  return asConstructor(Like);
}
