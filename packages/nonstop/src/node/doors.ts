import { define, ownProperty } from '../core/define-own.js';
import http = require('node:http');
import { NodeRequest } from './classes.js';

/**
 * Finds the message whose state `holder` reads: `holder` itself, or a message that it inherits from
 * (`Object.create(req)`).
 */
type Owner = (holder: object) => object | null;

/**
 * A property that a message of the engine gets only when it is first used.
 *
 * `open` defines it on the message. After that it is a plain own property, as node's constructor defines it.
 */
export interface Door<Message extends object> {
  readonly name: PropertyKey;
  open(message: Message): void;
  /** Called instead of `open` before an assignment, if more has to be done. */
  replace?(message: Message): void;
}

/**
 * Defines such properties on a prototype of node's. node's methods and other code then find this state on the engine's
 * messages, even if a message's prototype was replaced by another one that inherits from node's.
 *
 * node's constructors assign each of these names, so node's own messages pass each accessor once.
 */
export function putDoors<Message extends object>(
  prototype: object,
  ownerOf: Owner,
  doors: readonly Door<Message>[],
): void {
  for (const { name, open, replace = open } of doors) {
    // Another copy of this package may have defined the accessor: its messages still need it.
    const other = Object.getOwnPropertyDescriptor(prototype, name);
    const Own = ownProperty(name);
    define(prototype, name, {
      configurable: true,
      // `for … in` finds it on a message, as it finds the member of its own that node's message has.
      enumerable: true,
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

export const incomingPrototype: object = NodeRequest.prototype;
export const outgoingPrototype: object = http.OutgoingMessage.prototype;
