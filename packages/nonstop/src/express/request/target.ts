import { defineOwn } from '../../core/define-own.js';
import { kPosition, type Positioned } from '../../routing/route-pattern.js';
import { parseUrl, pathnameOf, queryOf } from '../../routing/pathname.js';
import type { Getters, Request } from '../shape.js';

type QueryParser = (query: string | null | undefined) => unknown;

/** The parsed `req.url`. */
export const target = {
  /** Parsed again at each read, as in Express: keep it in a variable. */
  get query(): unknown {
    const parse = this.app.get('query parser fn') as QueryParser | undefined;
    return parse ? parse(queryOf(this)) : Object.create(null);
  },

  get path(): string | null | undefined {
    return pathnameOf(this);
  },
} satisfies Getters<'path' | 'query'>;

/**
 * The cache of `parseurl` on a request. Routing does not need it, but middleware reads it. It is then made from the url
 * that the innermost router read last, which still has the mount path in a mounted handler. A request that no handler has answered is in
 * no router any more.
 */
export const parsedUrl: PropertyDescriptor & ThisType<Request & Positioned> = {
  configurable: true,
  enumerable: false,
  get() {
    const url = this[kPosition]?.url ?? (this.originalUrl === undefined ? undefined : this.url);
    try {
      return url === undefined ? undefined : parseUrl()({ url });
    } catch {
      return undefined;
    }
  },
  set(value: unknown) {
    defineOwn(this, '_parsedUrl', value);
  },
};
