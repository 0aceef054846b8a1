import { bareDescriptor, define } from '../core/define-own.js';
import type { RoutingDialect } from './dialect.js';
import type { WalkedLayer } from './shapes.js';
import type { Shortlist } from './shortlist.js';

/** The property in which a router keeps its {@link WatchedStack}. */
export const kWatched: unique symbol = Symbol('nonstop.watchedStack');

/** The property with the shortlist of a stack, kept between requests. For an array that a program assigned, it is on the router. */
export const kShortlist: unique symbol = Symbol('nonstop.shortlist');

/**
 * The stack of a router, with a count of its changes: any code may write to a stack.
 *
 * Tools remove, replace and move layers. Comparing 1,000 layers with their former state costs 2.5 µs a request; comparing
 * a number costs nothing. So `router.stack` is a proxy that counts changes, and a walk reads the array behind it. Layers that are not
 * Nonstop's get what a walk needs when they are put in.
 */
export class WatchedStack {
  readonly layers: WalkedLayer[] = [];
  readonly proxy: WalkedLayer[];
  /** The router's dialect: reading it from the router, a function with its own prototype, costs 10 ns. */
  readonly dialect: RoutingDialect;
  version = 0;
  [kShortlist]: Shortlist | undefined = undefined;

  constructor(dialect: RoutingDialect) {
    this.dialect = dialect;
    // Assignments and methods of arrays that change the stack call this trap: methods that delete a layer also define the length.
    const handler = {
      // Without a prototype: a `get` that a client has put into `Object.prototype` would be a trap.
      __proto__: null,
      defineProperty: (layers, key, descriptor) => {
        this.version++;
        dialect.adopt(descriptor.value);
        return Reflect.defineProperty(layers, key, bareDescriptor(descriptor));
      },
    } as ProxyHandler<WalkedLayer[]>;
    this.proxy = new Proxy(this.layers, handler);
  }
}

/** Defines `stack` on a router. If a user assigns another array, that array is used as it is, without a count. */
export function defineStack(router: object, dialect: RoutingDialect): void {
  const watched = new WatchedStack(dialect);
  define(router, kWatched, { value: watched });
  define(router, 'stack', {
    configurable: true,
    enumerable: true,
    get: () => watched.proxy,
    set(this: object, value: unknown) {
      define(this, 'stack', { value, configurable: true, enumerable: true, writable: true });
    },
  });
}
