import { defineOwn, lookUpGetter } from '../core/define-own.js';
import { addLowerFields, joinFields, listFields, type Fields } from '../node/incoming-fields.js';
import type { BodyFields } from '../core/shortcuts.js';
import type { Http2Request } from './messages.js';
import { requestOf } from './owner.js';
import {
  kBlock,
  kDistinctHeaders,
  kHeaders,
  kRawBlock,
  kRawFields,
  kReadTrailers,
  kStream,
  kTrailers,
} from './symbols.js';

const PSEUDO = [':method', ':path', ':scheme', ':authority', ':protocol'];

/**
 * Names and values as in a request of HTTP/1: without pseudo-headers, and with Host from `:authority`, which takes
 * precedence (RFC 9113 §8.3.1).
 */
function rawFields(req: Http2Request): string[] {
  const known = req[kRawFields];
  if (known !== null) return known;
  const block = req[kRawBlock];
  const authority = req[kBlock][':authority'];
  const raw: string[] = authority === undefined ? [] : ['host', authority];
  for (let i = 0; i < block.length; i += 2) {
    const name = block[i];
    if (name[0] === ':' || (name === 'host' && authority !== undefined)) continue;
    raw.push(name, block[i + 1]);
  }
  return (req[kRawFields] = raw);
}

/** One descriptor for all: it is copied. It must not inherit a `get` that a client has put into `Object.prototype`. */
const hidden = {
  __proto__: null,
  value: undefined as unknown,
  writable: true,
  enumerable: false,
  configurable: true,
};

/**
 * `req.headers`, as over HTTP/1. The pseudo-headers can be read, but are not enumerable: code that copies the fields into
 * a request of HTTP/1, such as a proxy, would fail on them.
 */
function readHeaders(req: Http2Request): Fields {
  const block = req[kBlock];
  const headers: Fields = {};
  // First, because the object gets slower to define in with each field.
  for (const name of PSEUDO) {
    const value = block[name];
    if (value === undefined) continue;
    hidden.value = value;
    Object.defineProperty(headers, name, hidden as PropertyDescriptor);
  }
  addLowerFields(req, rawFields(req), headers);
  // RFC 9112 §6.3: in HTTP/1 this field announces a body of unknown length, and parsers look for it.
  if (!req[kStream].endAfterHeaders && headers['content-length'] === undefined && block[':method'] !== 'CONNECT')
    headers['transfer-encoding'] = 'chunked';
  return headers;
}

/** Makes `headers` of the request that `holder` is, or inherits from: node has them from the start. */
function makeHeaders(holder: Http2Request): Fields {
  const req = requestOf(holder)!;
  return (req[kHeaders] ??= readHeaders(req));
}

/** What body parsers read, each at its place from the start. */
class FieldsOfBody implements BodyFields {
  [name: string]: string | undefined;
  'content-type': string | undefined = undefined;
  'content-length': string | undefined = undefined;
  'content-encoding': string | undefined = undefined;
  'transfer-encoding': string | undefined = undefined;
}

/** The fields for body parsers; `headers` where that was made or replaced, and where one of them came twice. */
export function bodyFields(req: Http2Request): BodyFields {
  if (req[kHeaders] !== null || lookUpGetter.call(req, 'headers') !== getHeaders) return req.headers;
  const raw = req[kRawBlock];
  const fields = new FieldsOfBody();
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i];
    if (name.length < 12 || !(name in fields)) continue;
    if (fields[name] !== undefined) return req.headers;
    fields[name] = raw[i + 1];
  }
  if (!req[kStream].endAfterHeaders && fields['content-length'] === undefined) fields['transfer-encoding'] = 'chunked';
  return fields;
}

/** The members of a request that are computed on use, by node's names. */
export const fieldReadings = {
  get headers(): Fields {
    return this[kHeaders] ?? makeHeaders(this);
  },
  set headers(value: Fields) {
    this[kHeaders] = value;
  },
  get headersDistinct(): Fields {
    const req = this;
    return (req[kDistinctHeaders] ??= listFields(req, rawFields(req)));
  },
  set headersDistinct(value: Fields) {
    this[kDistinctHeaders] = value;
  },
  // node makes `headers` first, so that later changes of the list do not affect them.
  get rawHeaders(): string[] {
    const req = requestOf(this)!;
    req[kHeaders] ??= readHeaders(req);
    return rawFields(req);
  },
  set rawHeaders(value: string[]) {
    const req = this;
    req[kHeaders] ??= readHeaders(req);
    req[kRawFields] = value;
  },
  get rawTrailers(): string[] {
    const req = this;
    return (req[kTrailers] ??= []);
  },
  set rawTrailers(value: string[]) {
    this[kTrailers] = value;
  },
  get trailers(): Fields {
    const req = this;
    return (req[kReadTrailers] ??= joinFields(req, req[kTrailers] ?? []));
  },
  set trailers(value: Fields) {
    this[kReadTrailers] = value;
  },
  get trailersDistinct(): Fields {
    return listFields(this, this[kTrailers] ?? []);
  },
  set trailersDistinct(value: Fields) {
    defineOwn(this, 'trailersDistinct', value);
  },
  get authority(): string | undefined {
    const req = this;
    return req[kBlock][':authority'] ?? req[kBlock].host;
  },
  get scheme(): string | undefined {
    return this[kBlock][':scheme'];
  },
} satisfies object & ThisType<Http2Request>;

const { get: getHeaders } = Object.getOwnPropertyDescriptor(fieldReadings, 'headers')!;
