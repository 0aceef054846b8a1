import type { HeaderValue } from '../../types/response.js';
import type { Res, StoredField } from './shape.js';
import { contentType } from './media-type.js';

/** The value of a header field set so far. */
export function get(this: Res, field: string): StoredField {
  return this.getHeader(field);
}

/**
 * Sets one header field, or all fields of an object. Content-Type may be an extension, and gets the charset that its type
 * implies.
 *
 * @throws TypeError when Content-Type is given several values
 */
export function set(this: Res, field: string | object, value?: HeaderValue): Res {
  // The number of arguments, not the value, selects the form: `set('X', undefined)` sends "undefined".
  if (arguments.length !== 2) {
    for (const name in field as Record<string, HeaderValue>) {
      this.set(name, (field as Record<string, HeaderValue>)[name]);
    }
    return this;
  }
  setOne(this, field as string, value);
  return this;
}

function setOne(res: Res, field: string, value: HeaderValue | undefined): void {
  const text = Array.isArray(value) ? value.map(String) : String(value);
  if (field.toLowerCase() !== 'content-type') {
    res.setHeader(field, text);
    return;
  }
  if (Array.isArray(text)) throw new TypeError('Content-Type cannot be set to an Array');
  // An unknown extension is sent as "false", as Express does.
  res.setHeader(field, contentType(text) as string);
}

/** Adds values to a header field, after those it has. */
export function append(this: Res, field: string, value: string | string[]): Res {
  const before = this.get(field);
  if (!before) return this.set(field, value);
  return this.set(field, ([] as string[]).concat(before, value));
}

/**
 * Sets Content-Type by an extension (`html`, `.png`) or a media type.
 *
 * @throws TypeError if it is not a string; the parameter's name is part of the message, so it is Express's
 */
export function type(this: Res, type: string): Res {
  return this.set('Content-Type', type.indexOf('/') === -1 ? typeOfExtension(type) : type);
}

function typeOfExtension(name: unknown): string {
  // As in Express, an array with one type passes the `indexOf` check, and is no known extension.
  return (typeof name === 'string' && contentType(name)) || 'application/octet-stream';
}

/** Adds links to the Link field (RFC 8288), several for one relation when its value is an array. */
export function links(this: Res, targets: Record<string, string | string[]>): Res {
  const before = this.get('Link') || '';
  const added: string[] = [];
  for (const relation of Object.keys(targets)) {
    const urls = targets[relation];
    const link = (url: string): string => `<${url}>; rel="${relation}"`;
    added.push(Array.isArray(urls) ? urls.map(link).join(', ') : link(urls));
  }
  return this.set('Link', (before ? `${String(before)}, ` : '') + added.join(', '));
}
