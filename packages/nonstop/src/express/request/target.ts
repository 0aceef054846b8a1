import { kPosition, type Positioned } from '../../routing/matched-pattern.js';
import { pathnameOf, queryOf } from '../../routing/pathname.js';
import { lazy } from '../../core/lazy.js';
import type { Request } from '../shape.js';

type QueryParser = (query: string | null | undefined) => unknown;

const parseUrl = lazy(() => require('parseurl') as (req: { url: string }) => unknown);

/** What `req.url` says. */
export const target = {
  /** Parsed anew each time it is read, as in Express: keep it in a variable. */
  get query(): unknown {
    const req = this as unknown as Request & { url: string };
    const parse = req.app.get('query parser fn') as QueryParser | undefined;
    return parse ? parse(queryOf(req)) : Object.create(null);
  },

  get path(): string | null | undefined {
    return pathnameOf(this as unknown as { url: string });
  },
};

/**
 * What `parseurl` keeps on a request. Routing does without it, but middleware reads it: it is then made of the url that the
 * innermost router read last, which in a mounted handler still has the mount path in front.
 */
export const parsedUrl: PropertyDescriptor & ThisType<Request & Positioned> = {
  configurable: true,
  enumerable: false,
  get() {
    const url = this[kPosition]?.url;
    return url === undefined ? undefined : parseUrl()({ url });
  },
  set(value: unknown) {
    Object.defineProperty(this, '_parsedUrl', { value, writable: true, enumerable: true, configurable: true });
  },
};
