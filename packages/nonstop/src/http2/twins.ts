import { kTwinOf } from '../core/twin.js';
import { host } from '../http/host.js';
import { NodeRequest, NodeResponse } from '../node/classes.js';
import { requestPrototype } from './request.js';
import { responsePrototype } from './response.js';

/** The twin of a prototype, and the state of the original at the last check. */
export interface Twin {
  readonly original: object;
  readonly prototype: object;
  readonly mirrored: Set<PropertyKey>;
  parent: object | null;
  /** The twin of the parent; null if the original is node's own. */
  up: Twin | null;
  /** Enumerable members of the original, which are compared in each turn: all members take 3 times as long. */
  keys: readonly string[];
  /** All of its members. */
  members: readonly PropertyKey[];
}

const twins = new WeakMap<object, Twin>();

/**
 * The prototype of HTTP/2 messages for one of HTTP/1 messages, such as `app.request`: with all of its own members, those
 * of the prototypes that it inherits from, and then node's HTTP/2 message instead of node's HTTP/1 message.
 *
 * Members are looked up in the original on use. A member that is added later, as applications do during set-up, is found
 * by the next call, which is made once in a turn of the event loop; a non-enumerable one by the next call with `all`.
 */
export function twinOf(original: object): object {
  return twinFor(original).prototype;
}

/** The same, with the state that {@link isCurrent} compares. */
export function twinFor(original: object, all = false): Twin {
  if (original === host.IncomingMessage.prototype) return twinFor(NodeRequest.prototype, all);
  if (original === host.ServerResponse.prototype) return twinFor(NodeResponse.prototype, all);
  const parent = Object.getPrototypeOf(original) as object | null;
  // Packages add members to node's prototypes too. node's own members are already there.
  const base = nodesTwins.get(original);
  if (base === undefined && parent === null) {
    throw new TypeError('The prototype of a message inherits from no message of node:http');
  }
  const up = base === undefined ? twinFor(parent!, all) : null;
  const above = base ?? up!.prototype;
  let twin = twins.get(original);
  if (twin === undefined) {
    twin = {
      original,
      prototype: Object.create(above) as object,
      mirrored: new Set(),
      parent,
      up,
      keys: [],
      members: [],
    };
    Object.defineProperty(twin.prototype, kTwinOf, { value: original });
    twins.set(original, twin);
    mirror(original, twin);
  } else if (twin.parent !== parent) {
    Object.setPrototypeOf(twin.prototype, above);
    twin.parent = parent;
    twin.up = up;
  }
  if (!hasItsMembers(twin, all)) mirror(original, twin);
  return twin;
}

/**
 * Whether nothing was added to the original, or to its prototypes, since the twin was checked. Called in each turn that
 * has requests.
 *
 * @param all looks for non-enumerable members too, which takes microseconds
 */
export function isCurrent(twin: Twin, all = false): boolean {
  for (let at: Twin | null = twin; at !== null; at = at.up) {
    if (Object.getPrototypeOf(at.original) !== at.parent || !hasItsMembers(at, all)) return false;
  }
  return true;
}

function hasItsMembers({ original, keys, members }: Twin, all: boolean): boolean {
  return isSame(Object.keys(original), keys) && (!all || isSame(Reflect.ownKeys(original), members));
}

function isSame(now: readonly PropertyKey[], before: readonly PropertyKey[]): boolean {
  let i = now.length;
  if (i !== before.length) return false;
  while (i > 0 && now[i - 1] === before[i - 1]) i--;
  return i === 0;
}

/** The twins of node's own prototypes. */
const nodesTwins = new Map<object, object>([
  [NodeRequest.prototype, requestPrototype],
  [NodeResponse.prototype, responsePrototype],
]);

function mirror(original: object, twin: Twin): void {
  const { prototype, mirrored } = twin;
  const members = Reflect.ownKeys(original);
  twin.keys = Object.keys(original);
  twin.members = members;
  for (const name of mirrored) {
    if (Object.hasOwn(original, name)) continue;
    mirrored.delete(name);
    delete (prototype as Record<PropertyKey, unknown>)[name];
  }
  const isNodes = nodesTwins.has(original);
  for (const name of members) {
    if (mirrored.has(name) || (isNodes && name in prototype)) continue;
    mirrored.add(name);
    Object.defineProperty(prototype, name, liveMember(original, name));
  }
}

function liveMember(original: object, name: PropertyKey): PropertyDescriptor {
  const { enumerable, get, set } = Object.getOwnPropertyDescriptor(original, name)!;
  return {
    configurable: true,
    enumerable: enumerable!,
    get(this: object): unknown {
      return Reflect.get(original, name, this);
    },
    // A member with only a getter cannot be assigned; an assignment must fail in the same way.
    set: get !== undefined && set === undefined ? undefined : writer(original, name),
  };
}

function writer(original: object, name: PropertyKey) {
  return function set(this: object, value: unknown): void {
    Reflect.set(original, name, value, this);
  };
}
