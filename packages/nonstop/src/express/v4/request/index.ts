import { lazy } from '../../../core/lazy.js';
import { host } from '../../../http/host.js';
import { address, hostOf, protocolOf, withoutPort } from '../../request/address.js';
import { isFreshBy } from '../../request/freshness.js';
import { requestMethods, xhr } from '../../request/index.js';
import type { Getters, Request } from '../../shape.js';
import { parsedUrl, target } from '../../request/target.js';
import { meetsAll } from '../../../files/v4/conditional.js';
import type { Request as PublicRequest } from '../../../types/v4/messages.js';
import { negotiation } from './negotiation.js';

const deprecate = lazy(() => (require('depd') as typeof import('depd'))('express'));

type Named = Record<string, unknown>;

/** The value of a parameter of the path, the body or the query, in this order. */
function param(this: Request, name: string, fallback?: unknown): unknown {
  const { params, body, query }: Partial<Record<'params' | 'body' | 'query', Named>> = this;
  const given = arguments.length === 1 ? 'name' : 'name, default';
  deprecate()(`req.param(${given}): Use req.params, req.body, or req.query instead`);
  const inPath = params || {};
  if (inPath[name] != null && (inPath as { hasOwnProperty(key: string): boolean }).hasOwnProperty(name)) {
    return inPath[name];
  }
  return (body || {})[name] ?? (query || {})[name] ?? fallback;
}

const hosts = {
  get protocol(): string {
    return protocolOf(this, 'connection');
  },

  get hostname(): string | undefined {
    const host = hostOf(this, 'connection');
    return host ? withoutPort(host) : undefined;
  },

  get host(): string | undefined {
    deprecate()('req.host: Use req.hostname instead');
    return this.hostname;
  },
} satisfies Getters<'protocol' | 'host' | 'hostname'>;

const freshness = {
  get fresh(): boolean {
    return isFreshBy(meetsAll, this);
  },

  get stale(): boolean {
    return !this.fresh;
  },
} satisfies Getters<'fresh' | 'stale'>;

/** The prototype of every request. It has no `query`: the first middleware of an application sets that on each request. */
export const request = Object.create(host.IncomingMessage.prototype) as Request & PublicRequest;

const { query: _, ...located } = Object.getOwnPropertyDescriptors(target);
for (const part of [requestMethods, negotiation, { param }, address, hosts, freshness, xhr]) {
  Object.defineProperties(request, Object.getOwnPropertyDescriptors(part));
}
Object.defineProperties(request, { ...located, _parsedUrl: parsedUrl });
