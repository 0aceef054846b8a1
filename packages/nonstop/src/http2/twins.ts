import { kTwinOf } from '../core/twin.js';
import { host } from '../http/host.js';
import { NodeRequest, NodeResponse } from '../node/classes.js';
import { requestPrototype } from './request.js';
import { responsePrototype } from './response.js';

/** The prototype that stands for another, and what of that one was looked at last. */
interface Twin {
  readonly prototype: object;
  readonly mirrored: Set<PropertyKey>;
  parent: object | null;
  /** Enumerable members of the original: to count them takes 20 ns, to list all of its members 3,000. */
  count: number;
}

const twins = new WeakMap<object, Twin>();

/**
 * The prototype of HTTP/2 messages for one of HTTP/1 messages, such as `app.request`: with all of its own members, those of the prototypes
 * that it inherits from, and node's HTTP/2 message behind them in the place of node's HTTP/1 message.
 *
 * Members are looked up in the original when they are used. One that is added later, which applications do while they are set up, is found by
 * the next call; one that `for…in` does not show is found with the next of the others.
 */
export function twinOf(original: object): object {
  if (original === host.IncomingMessage.prototype) return twinOf(NodeRequest.prototype);
  if (original === host.ServerResponse.prototype) return twinOf(NodeResponse.prototype);
  const parent = Object.getPrototypeOf(original) as object | null;
  const parentTwin = twinOfParent(original, parent);
  let twin = twins.get(original);
  if (twin === undefined) {
    twin = { prototype: Object.create(parentTwin) as object, mirrored: new Set(), parent, count: -1 };
    Object.defineProperty(twin.prototype, kTwinOf, { value: original });
    twins.set(original, twin);
  } else if (twin.parent !== parent) {
    Object.setPrototypeOf(twin.prototype, parentTwin);
    twin.parent = parent;
  }
  const count = Object.keys(original).length;
  if (count !== twin.count) mirror(original, twin);
  twin.count = count;
  return twin.prototype;
}

function twinOfParent(original: object, parent: object | null): object {
  // Packages add members to node's prototypes, too. Those that node has there itself are in these already.
  if (original === NodeRequest.prototype) return requestPrototype;
  if (original === NodeResponse.prototype) return responsePrototype;
  if (parent === null) throw new TypeError('The prototype of a message inherits from no message of node:http');
  return twinOf(parent);
}

function mirror(original: object, { prototype, mirrored }: Twin): void {
  for (const name of mirrored) {
    if (Object.hasOwn(original, name)) continue;
    mirrored.delete(name);
    delete (prototype as Record<PropertyKey, unknown>)[name];
  }
  const isNodes = original === NodeRequest.prototype || original === NodeResponse.prototype;
  for (const name of Reflect.ownKeys(original)) {
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
    // What has a getter alone cannot be written to, which an assignment shows.
    set: get !== undefined && set === undefined ? undefined : writer(original, name),
  };
}

function writer(original: object, name: PropertyKey) {
  return function set(this: object, value: unknown): void {
    Reflect.set(original, name, value, this);
  };
}
