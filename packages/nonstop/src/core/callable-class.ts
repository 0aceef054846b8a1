/**
 * A class that also makes an instance when it is called without `new`, as the functions of older packages do. It is the
 * `constructor` of its instances.
 */
export function callableClass<C extends new (...args: never[]) => object>(original: C): C {
  const callable = new Proxy(original, {
    apply: (target, _receiver, args) => Reflect.construct(target, args) as object,
  });
  const descriptor = { value: callable, writable: true, configurable: true };
  Object.defineProperty(original.prototype, 'constructor', descriptor);
  return callable;
}
