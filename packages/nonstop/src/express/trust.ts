import { lazy } from '../core/lazy.js';

/** Whether the address, `hop` hops from here (0: on the socket), is a proxy to be believed. */
export type Trust = (address: string | undefined, hop: number) => boolean;

const proxyAddr = lazy(() => require('proxy-addr') as { compile(addresses: unknown): Trust });

/** The default: no proxy is trusted. */
export const trustNobody: Trust = () => false;

/**
 * The function behind the setting `trust proxy`.
 *
 * @param value true, a number of hops, addresses or names of networks (a list, or joined by commas), or the function itself
 * @throws TypeError proxy-addr's, for an address that it cannot read
 */
export function compileTrust(value: unknown): Trust {
  if (typeof value === 'function') return value as Trust;
  if (value === true) return () => true;
  if (typeof value === 'number') return (_address, hop) => hop < value;
  // An empty text is an address that cannot be read, not the absence of one.
  if (!value && value !== '') return trustNobody;
  const addresses = typeof value === 'string' ? value.split(',').map((address) => address.trim()) : value;
  return proxyAddr().compile(addresses);
}
