import { host } from '../../http/host.js';
import type { Request as PublicRequest } from '../../types/request.js';
import { address } from './address.js';
import { freshness } from './freshness.js';
import { header } from './headers.js';
import { accepts, acceptsCharsets, acceptsEncodings, acceptsLanguages, is, range } from './negotiation.js';
import { parsedUrl, target } from './target.js';
import type { Getters, Request } from '../shape.js';

export const xhr = {
  get xhr(): boolean {
    const field = this.get('X-Requested-With') || '';
    return field.toLowerCase() === 'xmlhttprequest';
  },
} satisfies Getters<'xhr'>;

export const requestMethods = {
  get: header,
  header,
  accepts,
  acceptsEncodings,
  acceptsCharsets,
  acceptsLanguages,
  range,
  is,
};

/**
 * The prototype of every request. It inherits from node's, and has Express's methods and getters as own, enumerable,
 * configurable properties, because applications and packages list, wrap and replace them there.
 */
export const request = Object.create(host.IncomingMessage.prototype) as Request & PublicRequest;

for (const part of [requestMethods, target, address, freshness, xhr]) {
  Object.defineProperties(request, Object.getOwnPropertyDescriptors(part));
}
Object.defineProperty(request, '_parsedUrl', parsedUrl);
