import { hidden } from '../core/hidden.js';

type Constructor = new (...args: never[]) => object;

/**
 * A constructor below one of node's. Like node's, and unlike a class, it can be called without `new` for an object that was made elsewhere:
 * programs inherit by `util.inherits()` and `ServerResponse.call(this, req)`.
 */
export function callable<C extends Constructor>(name: string, parent: C): C {
  function made(this: object, ...args: unknown[]): unknown {
    if (new.target !== undefined) return Reflect.construct(parent, args, new.target);
    Reflect.apply(parent, this, args);
    return undefined;
  }
  Object.defineProperty(made, 'name', { value: name, configurable: true });
  Object.defineProperty(made, 'length', { value: parent.length, configurable: true });
  Object.setPrototypeOf(made, parent);
  Object.setPrototypeOf(made.prototype as object, parent.prototype as object);
  return hidden<C>(made);
}
