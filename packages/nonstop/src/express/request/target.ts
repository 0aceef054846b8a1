import { kPosition, type Position, type Positioned } from '../../routing/route-pattern.js';
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

const kParsed = Symbol('parsed');

/** What a program, or `parseurl`, has written, and where in its router the request was then. */
interface Kept {
  readonly value: { readonly _raw?: string } | null | undefined;
  readonly at: Position | undefined;
  readonly index: number | undefined;
}

interface Parsed {
  [kParsed]?: Kept;
}

/**
 * The cache of `parseurl` on a request. Routing does not need it, but middleware reads it. It is then made from the url
 * that the innermost router read last, which still has the mount path in a mounted handler. A request that no handler has answered is in
 * no router any more.
 */
export const parsedUrl: PropertyDescriptor & ThisType<Request & Positioned & Parsed> = {
  configurable: true,
  enumerable: false,
  get() {
    const at = this[kPosition];
    const kept = this[kParsed];
    // Express's router parses in front of each layer, and keeps what is of this url.
    if (kept?.at === at && kept !== undefined && (kept.index === at?.index || kept.value?._raw === at?.url))
      return kept.value;
    const url = at?.url ?? (this.originalUrl === undefined ? undefined : this.url);
    try {
      return url === undefined ? undefined : parseUrl()({ url });
    } catch {
      return undefined;
    }
  },
  set(value: unknown) {
    const at = this[kPosition];
    this[kParsed] = { value: value as Kept['value'], at, index: at?.index };
  },
};
