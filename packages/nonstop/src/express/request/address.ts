import type http = require('node:http');
import { isIP } from 'node:net';
import { lazy } from '../../core/lazy.js';
import { trustNobody, type Trust } from '../trust.js';
import type { Getters, Request } from '../shape.js';

interface ProxyAddr {
  (req: http.IncomingMessage, trust: Trust): string | undefined;
  all(req: http.IncomingMessage, trust: Trust): (string | undefined)[];
}

const proxyAddr = lazy(() => require('proxy-addr') as ProxyAddr);

function trustOf(req: Request): Trust {
  return req.app.get('trust proxy fn') as Trust;
}

/** Where Express 5 and Express 4 look for the peer. A program may have replaced one of them. */
type PeerAt = 'socket' | 'connection';

/** Whether the peer is a proxy whose X-Forwarded-* fields count. */
function isBehindTrustedProxy(req: Request, at: PeerAt): boolean {
  return trustOf(req)(req[at].remoteAddress, 0);
}

/** The first of a list: proxies in a row append to X-Forwarded-*. */
function firstOf(list: string): string {
  const comma = list.indexOf(',');
  return comma === -1 ? list : list.substring(0, comma);
}

/** The Host field, or the one that a trusted proxy has forwarded. */
export function hostOf(req: Request, at: PeerAt): string | undefined {
  const forwarded = req.get('X-Forwarded-Host');
  if (!forwarded || !isBehindTrustedProxy(req, at)) return req.get('Host') || undefined;
  return (forwarded.includes(',') ? firstOf(forwarded).trimEnd() : forwarded) || undefined;
}

export function withoutPort(host: string): string {
  // RFC 3986 §3.2.2: an IP literal with colons has brackets. Not `startsWith`: adapters make the field a list.
  const port = host.indexOf(':', host[0] === '[' ? host.indexOf(']') + 1 : 0);
  return port === -1 ? host : host.substring(0, port);
}

/** `https` or `http`, or what a trusted proxy says. */
export function protocolOf(req: Request, at: PeerAt): string {
  const own = (req[at] as { encrypted?: boolean }).encrypted ? 'https' : 'http';
  if (!isBehindTrustedProxy(req, at)) return own;
  return firstOf(req.get('X-Forwarded-Proto') || own).trim();
}

/** The address of the client, as far as trusted proxies report it. */
export const address = {
  get protocol(): string {
    return protocolOf(this, 'socket');
  },

  get secure(): boolean {
    return this.protocol === 'https';
  },

  get ip(): string | undefined {
    const trust = trustOf(this);
    return trust === trustNobody && this.socket ? this.socket.remoteAddress : proxyAddr()(this, trust);
  },

  /** The addresses of the client and then the proxies; without the socket's peer. */
  get ips(): (string | undefined)[] {
    const addresses = proxyAddr().all(this, trustOf(this));
    addresses.reverse().pop();
    return addresses;
  },

  get subdomains(): string[] {
    const { hostname } = this;
    if (!hostname) return [];
    const labels = isIP(hostname) ? [hostname] : hostname.split('.').reverse();
    return labels.slice(this.app.get('subdomain offset') as number);
  },

  /** Host field with its port. */
  get host(): string | undefined {
    return hostOf(this, 'socket');
  },

  /** Host field without its port. */
  get hostname(): string | undefined {
    const { host } = this;
    return host ? withoutPort(host) : undefined;
  },
} satisfies Getters<'protocol' | 'secure' | 'ip' | 'ips' | 'subdomains' | 'host' | 'hostname'>;
