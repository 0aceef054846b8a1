import { lazy } from '../core/lazy.js';

/** Whether the address, `hop` hops away (0: the socket's peer), is a trusted proxy. */
export type Trust = (address: string | undefined, hop: number) => boolean;

const proxyAddr = lazy(() => require('proxy-addr') as { compile(addresses: unknown): Trust });

/** The default: no proxy is trusted. */
export const trustNobody: Trust = () => false;

/**
 * The function behind the setting `trust proxy`.
 *
 * @param value true, a number of hops, addresses or network names (a list, or separated by commas), or a function
 * @throws TypeError of proxy-addr for an invalid address
 */
export function compileTrust(value: unknown): Trust {
  if (typeof value === 'function') return value as Trust;
  if (value === true) return () => true;
  if (typeof value === 'number') return (_address, hop) => hop < value;
  // An empty text is an invalid address, not a missing one.
  if (!value && value !== '') return trustNobody;
  const addresses = typeof value === 'string' ? value.split(',').map((address) => address.trim()) : value;
  return proxyAddr().compile(addresses);
}
