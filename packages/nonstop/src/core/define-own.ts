import { asConstructor } from './hidden.js';

/**
 * Defines a property on an existing object. A class field does this in 10 to 20 ns, `Object.defineProperty()` in 160 to 200, and each message
 * that node makes needs it. It reads no descriptor, which could inherit a `get` that a client put into `Object.prototype`.
 */
export function ownProperty(name: PropertyKey): new (target: object) => object {
  const Given = asConstructor<[target: object]>(function Given(target: object): object {
    return target;
  });
  return class extends Given {
    [name] = undefined;
  };
}

const definers = new Map<PropertyKey, ReturnType<typeof ownProperty>>();

/**
 * Gives `target` a property of its own, as an assignment to a plain object does. An assignment would call an accessor that `target` inherits, and
 * throws where a prototype with that name is frozen.
 *
 * @param name one of a few: a class is kept for each
 */
export function defineOwn(target: object, name: PropertyKey, value: unknown): void {
  let Own = definers.get(name);
  if (Own === undefined) definers.set(name, (Own = ownProperty(name)));
  (new Own(target) as Record<PropertyKey, unknown>)[name] = value;
}

/** A descriptor that inherits nothing: a client may have put `get` or `enumerable` into `Object.prototype`. */
export function bareDescriptor(descriptor: PropertyDescriptor): PropertyDescriptor {
  return { __proto__: null, ...descriptor } as PropertyDescriptor;
}

/** `Object.defineProperty()` with a {@link bareDescriptor}, for objects that are made while requests are served. */
export function define(target: object, name: PropertyKey, descriptor: PropertyDescriptor): void {
  Object.defineProperty(target, name, bareDescriptor(descriptor));
}

/** The getter of an accessor that an object has or inherits. One call looks at the object and all of its prototypes. */
export const lookUpGetter = Reflect.get(Object.prototype, '__lookupGetter__') as (
  this: object,
  name: string,
) => unknown;
