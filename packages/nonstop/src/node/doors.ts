import http = require('node:http');
import { NodeRequest } from './classes.js';

/** Finds the message whose state `holder` reads: itself, or the one that it inherits from (`Object.create(req)`). */
type Owner = (holder: object) => object | null;

/**
 * What stands behind a name that a message of the engine does not have until somebody asks for it.
 *
 * `open` makes the name the message's own. After that it is a plain property, as node's constructor would have made it.
 */
export interface Door<Message extends object> {
  readonly name: PropertyKey;
  open(message: Message): void;
  /** The same where it is about to be given another value, if that is not all there is to do. */
  replace?(message: Message): void;
}

/**
 * Puts doors on a prototype of node's: where node's methods, or whoever else reads such state, look for it on a message of
 * the engine, they find it, even on a message whose prototype somebody has replaced by another that inherits from node's.
 *
 * node's own messages have each of these names from their constructor on, so they pass a door once, on their way in.
 */
export function putDoors<Message extends object>(
  prototype: object,
  ownerOf: Owner,
  doors: readonly Door<Message>[],
): void {
  for (const { name, open, replace = open } of doors) {
    // Another copy of this package may have been here before: its messages have their door still.
    const other = Object.getOwnPropertyDescriptor(prototype, name);
    const Own = ownProperty(name);
    Object.defineProperty(prototype, name, {
      configurable: true,
      enumerable: false,
      get(this: Record<PropertyKey, unknown>): unknown {
        const owner = ownerOf(this);
        if (owner === null) return other?.get?.call(this);
        open(owner as Message);
        return (owner as Record<PropertyKey, unknown>)[name];
      },
      set(this: Record<PropertyKey, unknown>, value: unknown): void {
        const owner = ownerOf(this);
        if (owner !== (this as object)) {
          (new Own(this) as typeof this)[name] = value;
          return;
        }
        replace(owner as Message);
        this[name] = value;
      },
    });
  }
}

/**
 * Defines a property on an object that already is there. A field of a class does that in 10 to 20 ns where
 * `Object.defineProperty()` takes 200, and node's constructors come by here for each message of node's own.
 */
function ownProperty(name: PropertyKey): new (target: object) => object {
  const Given = function Given(target: object): object {
    return target;
  } as unknown as new (target: object) => object;
  return class extends Given {
    [name] = undefined;
  };
}

export const incomingPrototype: object = NodeRequest.prototype;
export const outgoingPrototype: object = http.OutgoingMessage.prototype;
