type Class = new (...args: never[]) => object;

/**
 * Makes a class what the constructors of Express are: a function. Programs call it without `new`, or for an object of their own
 * (`Route.call(this, path)` behind `util.inherits()`), and list the methods of its prototype. It is the `constructor` of its instances.
 *
 * @param methods the names of the methods that a `for` over the prototype finds
 */
export function callableClass<C extends Class>(original: C, methods: readonly string[]): C {
  const callable = new Proxy(original, {
    apply: (target, receiver: object | undefined, args) =>
      receiver instanceof target
        ? Object.assign(receiver, Reflect.construct(target, args, like(receiver)))
        : (Reflect.construct(target, args) as object),
  });
  const prototype = original.prototype as object;
  Object.defineProperty(prototype, 'constructor', { value: callable, writable: true, configurable: true });
  for (const name of methods) Object.defineProperty(prototype, name, { enumerable: true });
  return callable;
}

/** A constructor whose instances have the prototype of `instance`, so that the class finds the methods that its heir replaces. */
function like(instance: object): Class {
  function Like(): void {}
  Like.prototype = Object.getPrototypeOf(instance) as object;
  return Like as unknown as Class;
}
