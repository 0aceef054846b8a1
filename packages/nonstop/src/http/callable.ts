import { hidden } from '../core/hidden.js';

type Constructor = new (...args: never[]) => object;

/**
 * Makes a function a constructor below one of node's. Like node's, and unlike a class, it can be called without `new` for an object that was made
 * elsewhere: programs inherit by `util.inherits()` and `ServerResponse.call(this, req)`.
 *
 * @param own a function of that name, which V8 shows in messages; all it does is to call {@link construct}
 */
export function callable<C extends Constructor>(parent: C, own: object): C {
  const { prototype } = own as { prototype: object };
  Object.defineProperty(own, 'length', { value: parent.length, configurable: true });
  Object.setPrototypeOf(own, parent);
  Object.setPrototypeOf(prototype, parent.prototype as object);
  // Messages say that they are of node's class: undici keeps the connection of a request only if `constructor` is that.
  Reflect.deleteProperty(prototype, 'constructor');
  acceptParents(own, parent);
  return hidden<C>(own);
}

/**
 * Lets `instanceof` accept what node makes itself: the answers that a client gets, the messages of `https`, another library's server. A
 * program that has this module in the place of `http` compares them with its classes. Classes of the program below `own` stay exact.
 */
export function acceptParents(own: object, parent: object): void {
  const value = function (this: object, made: unknown): boolean {
    return isInstance.call(this === own ? parent : this, made);
  };
  Object.defineProperty(own, Symbol.hasInstance, { value, configurable: true });
}

const isInstance = Function.prototype[Symbol.hasInstance] as (this: object, made: unknown) => boolean;

/** Does what `parent` does when it is called in that way. @param newTarget undefined for a call without `new` */
export function construct(parent: Constructor, made: object, args: unknown[], newTarget: object | undefined): unknown {
  if (newTarget !== undefined) return Reflect.construct(parent, args, newTarget as Constructor);
  Reflect.apply(parent, made, args);
  return undefined;
}
