import { define, ownProperty } from '../core/define-own.js';
import { sharedSymbol } from '../core/shared.js';
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

/** What a copy of this package does behind an accessor. */
interface Behind {
  ownerOf: Owner;
  open(message: object): void;
  replace(message: object): void;
}

/** On the getter of an accessor: takes what another copy does behind it. */
const kJoin: symbol = sharedSymbol('door');

type Join = (behind: Behind) => void;

/** Only its own copy keeps it, so that one that a test runner has thrown away is freed. */
const ownBehind: Behind[] = [];

/**
 * Defines such properties on a prototype of node's. node's methods and other code then find this state on the engine's
 * messages, even if a message's prototype was replaced by another one that inherits from node's.
 *
 * node's constructors assign each of these names, so node's own messages pass each accessor once. Copies of this package share the accessors.
 */
export function putDoors<Message extends object>(
  prototype: object,
  ownerOf: Owner,
  doors: readonly Door<Message>[],
): void {
  for (const { name, open, replace = open } of doors) {
    const behind: Behind = { ownerOf, open, replace };
    ownBehind.push(behind);
    const before = Object.getOwnPropertyDescriptor(prototype, name);
    const join = (before?.get as { [kJoin]?: Join } | undefined)?.[kJoin];
    if (join === undefined) putDoor(prototype, name, { behind, before });
    else join(behind);
  }
}

interface Made {
  readonly behind: Behind;
  /** An accessor of other code. */
  readonly before: PropertyDescriptor | undefined;
}

function putDoor(prototype: object, name: PropertyKey, { behind, before }: Made): void {
  /** What later copies do. */
  let others: readonly WeakRef<Behind>[] = [];
  const ofOther = (holder: object): Behind | undefined =>
    others.map((each) => each.deref()).find((each) => each !== undefined && each.ownerOf(holder) !== null);
  const behindOf = (holder: object): Behind | undefined => {
    if (behind.ownerOf(holder) !== null) return behind;
    return others.length === 0 ? undefined : ofOther(holder);
  };
  const Own = ownProperty(name);
  function get(this: Record<PropertyKey, unknown>): unknown {
    const by = behindOf(this);
    if (by === undefined) return before?.get?.call(this);
    const owner = by.ownerOf(this)!;
    by.open(owner);
    return (owner as Record<PropertyKey, unknown>)[name];
  }
  const join: Join = (other) => {
    // The reference is made here: one of the other copy's realm would keep that realm.
    others = [...others.filter((each) => each.deref() !== undefined), new WeakRef(other)];
  };
  Object.defineProperty(get, kJoin, { value: join });
  define(prototype, name, {
    configurable: true,
    // `for … in` finds it on a message, as it finds the member of its own that node's message has.
    enumerable: true,
    get,
    set(this: Record<PropertyKey, unknown>, value: unknown): void {
      const by = behindOf(this);
      if (by === undefined || by.ownerOf(this) !== (this as object)) {
        (new Own(this) as typeof this)[name] = value;
        return;
      }
      by.replace(this);
      this[name] = value;
    },
  });
}

export const incomingPrototype: object = NodeRequest.prototype;
export const outgoingPrototype: object = http.OutgoingMessage.prototype;
