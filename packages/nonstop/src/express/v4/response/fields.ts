import { lazy } from '../../../core/lazy.js';
import { mimeOf } from '../../../files/v4/mime.js';
import type { HeaderValue } from '../../../types/response.js';
import type { Res } from '../../response/shape.js';
import { withCharset } from './media-type.js';

const deprecate = lazy(() => (require('depd') as typeof import('depd'))('express'));
const varyPackage = lazy(() => require('vary') as typeof import('vary'));

/**
 * Sets one header field, or all fields of an object. Content-Type gets the charset that its type implies.
 *
 * @throws TypeError when Content-Type is given several values
 */
export function header(this: Res, field: string | object, value?: HeaderValue): Res {
  // The number of arguments, not the value, selects the form.
  if (arguments.length === 2) {
    setOne(this, field as string, value);
    return this;
  }
  for (const name in field as Record<string, HeaderValue>) this.set(name, (field as Record<string, HeaderValue>)[name]);
  return this;
}

function setOne(res: Res, field: string, value: HeaderValue | undefined): void {
  const text = Array.isArray(value) ? value.map(String) : String(value);
  if (field.toLowerCase() !== 'content-type') {
    res.setHeader(field, text);
    return;
  }
  if (Array.isArray(text)) throw new TypeError('Content-Type cannot be set to an Array');
  res.setHeader(field, withCharset(text));
}

/** Sets Content-Type by an extension (`html`, `.png`) or a media type. */
export function contentType(this: Res, type: string): Res {
  return this.set('Content-Type', type.indexOf('/') === -1 ? mimeOf(type) : type);
}

/** Adds links to the Link field (RFC 8288). */
export function links(this: Res, links: Record<string, unknown>): Res {
  const before = this.get('Link') || '';
  const added = Object.keys(links).map((relation) => '<' + (links[relation] as string) + `>; rel="${relation}"`);
  return this.set('Link', (before ? `${String(before)}, ` : '') + added.join(', '));
}

/** Adds field names to Vary that it does not have yet. */
export function vary(this: Res, field: string | string[]): Res {
  if (!field || (Array.isArray(field) && !field.length)) {
    deprecate()('res.vary(): Provide a field name');
    return this;
  }
  varyPackage()(this, field);
  return this;
}
