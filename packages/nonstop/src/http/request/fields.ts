import { defineOwn } from '../../core/define-own.js';
import { LINES_AT_ONCE } from '../../wire/limits.js';
import { splitFieldLines } from '../../wire/parse-head.js';
import { NodeRequest } from '../../node/classes.js';
import { SERVER_READS_HEADERS } from '../../node/differences.js';
import { BATCHES_OF_LINES_ARE_CUT } from '../../node/nodes-parser.js';
import { addFieldLines, joinFields, listFields, type Fields } from '../../node/incoming-fields.js';
import { kHeadersCount, kNodeHeaders, kNodeTrailers, kTrailersCount } from '../../node/message-state.js';
import { kDistinct, kLines, kTrailerLines, kTrailersDistinct, type OwnRequest } from './own-request.js';
import { kConnection, messageOf } from '../message.js';

const DEFAULT_MAX_HEADERS_COUNT = 1000;

/** The maximum number of field lines of a head, or of its lines in `headers`; 0 for no limit. */
export function maxHeadersCount(server: { readonly maxHeadersCount: number | null }): number {
  const { maxHeadersCount: most } = server;
  if (typeof most !== 'number') return DEFAULT_MAX_HEADERS_COUNT;
  // node counts names and values in 32 bits: a number that is none, or too large, becomes 0 there.
  return Math.max(most << 1, 0) / 2;
}

/** The field lines as alternating names and values, split on first read. */
function rawFields(req: OwnRequest): string[] {
  const lines = req[kLines];
  const raw = typeof lines === 'string' ? splitFieldLines(lines, true) : lines;
  req[kHeadersCount] = cutToLimit(req, raw);
  return (req[kLines] = raw);
}

/** Removes from `raw` what node does not keep. @returns the number of entries that `headers` is made of */
function cutToLimit(req: OwnRequest, raw: string[]): number {
  const most = req[kConnection].maxHeadersCount * 2;
  dropLateBatches(raw, most);
  return most > 0 ? Math.min(raw.length, most) : raw.length;
}

/**
 * Makes `rawHeaders` a plain property of the request, after `headers` where node makes that first: then later changes of the list do not affect
 * it.
 */
export function openRawHeaders(req: OwnRequest): void {
  defineOwn(req, 'rawHeaders', rawFields(req));
  if (SERVER_READS_HEADERS) req[kNodeHeaders] ??= readFields(req);
}

/**
 * Before `rawHeaders` of HTTP/1.1 is replaced, `headers` is made where node makes it before a handler runs. That of another version is made of the
 * new list.
 */
export function replaceRawHeaders(req: OwnRequest): void {
  if (req.httpVersion === '1.1') openRawHeaders(req);
  else defineOwn(req, 'rawHeaders', rawFields(req));
}

/** Passes the fields to node's methods, as node's parser and server do. */
export function giveFieldsToNode(req: OwnRequest): void {
  const raw = rawFields(req);
  defineOwn(req, 'rawHeaders', raw);
  addFieldLines(req, raw, req[kHeadersCount] as number);
  if (SERVER_READS_HEADERS && req.httpVersion === '1.1') req[kNodeHeaders] ??= readFields(req);
}

/** Makes `rawTrailers` a plain property of the request. */
export function openRawTrailers(req: OwnRequest): void {
  defineOwn(req, 'rawTrailers', req[kTrailerLines] ?? []);
}

/**
 * Removes the entries of `raw` behind the first `most`, exactly or in whole batches of the parser, as node does. It never cuts the first batch.
 *
 * @param most 0 for no limit
 */
function dropLateBatches(raw: string[], most: number): void {
  const batch = LINES_AT_ONCE * 2;
  if (most === 0 || raw.length <= batch) return;
  raw.length = Math.min(raw.length, BATCHES_OF_LINES_ARE_CUT ? most : Math.ceil(most / batch) * batch);
}

/** The names and values that `headers` and `headersDistinct` are made of. */
function headerSource(req: OwnRequest): string[] {
  const lines = req[kLines];
  const unread = typeof lines === 'string' && !Object.hasOwn(req, 'rawHeaders');
  // Names are only looked up here. Programs may keep those of `rawHeaders`, so these are copies.
  const raw = unread ? splitFieldLines(lines, false) : req.rawHeaders;
  const count = unread ? cutToLimit(req, raw) : (req[kHeadersCount] as number);
  if (count === raw.length) return raw;
  // As node reads as many, of a list that a program has put there too: a name that is missing is a TypeError.
  return Array.from({ length: count }, (_, i) => raw[i]);
}

/** The `headers` of a request. */
function readFields(req: OwnRequest): Fields {
  // node keeps what it has made when it fails at a list that a program has put there.
  if (!SERVER_READS_HEADERS && Object.hasOwn(req, 'rawHeaders'))
    return joinFields(req, headerSource(req), (req[kNodeHeaders] = {}));
  const lines = req[kLines];
  if (typeof lines !== 'string' || req.joinDuplicateHeaders || !req[kConnection].repeats(lines))
    return joinFields(req, headerSource(req));
  const { repeatedFields } = req[kConnection];
  const kept = repeatedFields.copyFor(lines);
  if (kept !== null) return kept;
  const fields = joinFields(req, headerSource(req));
  repeatedFields.note(lines, fields);
  return fields;
}

/** Makes `headers`: of the request itself, where node makes it before an object can inherit from the request. */
function makeHeaders(req: OwnRequest): Fields {
  const owner = SERVER_READS_HEADERS && req.httpVersion === '1.1' ? (messageOf(req) as OwnRequest) : req;
  return (owner[kNodeHeaders] ||= readFields(owner)) as Fields;
}

interface LazyProperty {
  read: (req: OwnRequest) => unknown;
  write: (req: OwnRequest, value: never) => void;
}

/** The properties of a request that are made on first read, under node's names; as there, any value that is falsy stands for none. */
const lazyProperties: Record<string, LazyProperty> = {
  headers: {
    read: (req) => req[kNodeHeaders] || makeHeaders(req),
    write: (req, value) => (req[kNodeHeaders] = value),
  },
  headersDistinct: {
    read: (req) => (req[kDistinct] ||= listFields(req, headerSource(req))),
    write: (req, value) => (req[kDistinct] = value),
  },
  trailers: {
    read: (req) => (req[kNodeTrailers] ||= joinFields(req, trailerSource(req))),
    write: (req, value) => (req[kNodeTrailers] = value),
  },
  trailersDistinct: {
    read: (req) => (req[kTrailersDistinct] ||= listFields(req, trailerSource(req))),
    write: (req, value) => (req[kTrailersDistinct] = value),
  },
};

/** The same for `trailers` and `trailersDistinct`. */
function trailerSource(req: OwnRequest): string[] {
  return Object.hasOwn(req, 'rawTrailers') ? req.rawTrailers : (req[kTrailerLines] ?? []);
}

/** The trailer section has arrived, as alternating names and values. As under node, it is a new list, whatever a program has put there. */
export function addTrailers(req: OwnRequest, trailers: string[]): void {
  dropLateBatches(trailers, req[kConnection].maxHeadersCount * 2);
  req[kTrailerLines] = trailers;
  if (Object.hasOwn(req, 'rawTrailers')) req.rawTrailers = trailers;
  req[kTrailersCount] = trailers.length;
  // They were read, or set, before they arrived: node then adds to the same object.
  const given = req[kNodeTrailers] as Fields | null;
  if (given) joinFields(req, trailers, given);
}

function isEngines(req: OwnRequest): boolean {
  return req[kConnection] !== undefined;
}

let engineHeaders: unknown;

/** The engine's accessor of `headers`. */
export const headersGetter = (): unknown => engineHeaders;

/** Defines the accessors over node's; for a request that is not the engine's they call node's. */
export function defineLazyFields(prototype: object): void {
  for (const [name, { read, write }] of Object.entries(lazyProperties)) {
    const inherited = Object.getOwnPropertyDescriptor(NodeRequest.prototype, name);
    Object.defineProperty(prototype, name, {
      configurable: true,
      enumerable: false,
      get(this: OwnRequest): unknown {
        return isEngines(this) ? read(this) : inherited?.get?.call(this);
      },
      set(this: OwnRequest, value: never): void {
        if (isEngines(this)) write(this, value);
        else inherited?.set?.call(this, value);
      },
    });
  }
  engineHeaders = Object.getOwnPropertyDescriptor(prototype, 'headers')?.get;
}
