import { hidden } from '../../core/hidden.js';
import { splitFieldLines } from '../../wire/parse-head.js';
import { NodeRequest } from '../../node/classes.js';
import { kHeadersCount, kNodeHeaders, kNodeTrailers, kTrailersCount } from '../../node/message-state.js';
import {
  defineOwn,
  kDistinct,
  kLines,
  kTrailerLines,
  kTrailersDistinct,
  type Fields,
  type OwnRequest,
} from './own-request.js';
import { kConnection } from '../message.js';

/** Field lines after which node's parser hands over what it has; a head with fewer is never cut by `maxHeadersCount`. */
const FIELD_LINES_AT_ONCE = 31;

const DEFAULT_MAX_HEADERS_COUNT = 1000;

/** Field lines that a head may have, or that `headers` shows of it; 0 for no limit of the number. */
export function maxHeadersCount(server: { readonly maxHeadersCount: number | null }): number {
  const { maxHeadersCount: most } = server;
  return typeof most === 'number' ? most : DEFAULT_MAX_HEADERS_COUNT;
}

interface NodeIncoming {
  _addHeaderLine(field: string, value: string, dest: Fields): void;
  _addHeaderLineDistinct(field: string, value: string, dest: Fields): void;
}

const nodeIncoming = hidden<NodeIncoming>(NodeRequest.prototype);

/** Fields by name, joined as node joins them. */
function collectFields(req: OwnRequest, raw: string[]): Fields {
  const dest: Fields = {};
  for (let i = 0; i < raw.length; i += 2) nodeIncoming._addHeaderLine.call(req, raw[i], raw[i + 1], dest);
  return dest;
}

function collectDistinct(req: OwnRequest, raw: string[]): Fields {
  const dest = Object.create(null) as Fields;
  for (let i = 0; i < raw.length; i += 2) nodeIncoming._addHeaderLineDistinct.call(req, raw[i], raw[i + 1], dest);
  return dest;
}

/** The field lines as names and values in turn, split when they are first asked for. */
function rawFields(req: OwnRequest): string[] {
  const lines = req[kLines];
  if ((req[kHeadersCount] as number) >= 0) return lines as string[];
  const raw = typeof lines === 'string' ? splitFieldLines(lines, true) : lines;
  req[kHeadersCount] = cutToLimit(req, raw);
  return (req[kLines] = raw);
}

/** Takes off `raw` what node does not keep. @returns how many entries `headers` is made of */
function cutToLimit(req: OwnRequest, raw: string[]): number {
  const most = maxHeadersCount(req[kConnection].server) * 2;
  if (most > 0 && raw.length > FIELD_LINES_AT_ONCE * 2) raw.length = Math.min(raw.length, keptInBatches(most));
  return most > 0 ? Math.min(raw.length, most) : raw.length;
}

/** Makes `rawHeaders` a plain property of the request, and `headers`: node has made that before, so that it sees no change of the list. */
export function openRawHeaders(req: OwnRequest): void {
  defineOwn(req, 'rawHeaders', rawFields(req));
  req[kNodeHeaders] ??= readFields(req);
}

/** What `headers` was made of is replaced: node has made them by then, for it looks for Host before a handler runs. */
export function replaceRawHeaders(req: OwnRequest): void {
  if (req.httpVersion === '1.1') req[kNodeHeaders] ??= readFields(req);
  openRawHeaders(req);
}

/** Makes `rawTrailers` a plain property of the request; what comes later is put into the same list. */
export function openRawTrailers(req: OwnRequest): void {
  defineOwn(req, 'rawTrailers', (req[kTrailerLines] ??= []));
}

/** Entries of `rawHeaders` that node keeps of a head which its parser hands over in batches: no batch is cut. */
function keptInBatches(most: number): number {
  const batch = FIELD_LINES_AT_ONCE * 2;
  return Math.ceil(most / batch) * batch;
}

/** What `headers` is made of. */
function known(req: OwnRequest): string[] {
  const lines = req[kLines];
  const unread = typeof lines === 'string' && !Object.hasOwn(req, 'rawHeaders');
  // Names are only looked up here. Those of `rawHeaders` may be kept, and are copies.
  const raw = unread ? splitFieldLines(lines, false) : req.rawHeaders;
  const count = unread ? cutToLimit(req, raw) : (req[kHeadersCount] as number);
  return count < raw.length ? raw.slice(0, count) : raw;
}

/**
 * `headers` of a request. Clients repeat their fields on a connection, so from the third time on a copy of what was made of
 * them the second time is given: 0.2 µs for five fields instead of 1.1.
 */
function readFields(req: OwnRequest): Fields {
  const lines = req[kLines];
  if (typeof lines !== 'string' || req.joinDuplicateHeaders) return collectFields(req, known(req));
  if (!req[kConnection].repeats(lines)) return collectFields(req, known(req));
  const last = req[kConnection].fieldsRead;
  if (last.lines !== lines) {
    last.lines = lines;
    last.fields = null;
    return collectFields(req, known(req));
  }
  if (last.fields !== null) return { ...last.fields };
  const fields = collectFields(req, known(req));
  // What is in a list is the program's to change.
  if (!Array.isArray(fields['set-cookie'])) last.fields = { ...fields };
  return fields;
}

interface Reading {
  read: (req: OwnRequest) => unknown;
  write: (req: OwnRequest, value: never) => void;
}

/** What is read from a request of the engine when somebody asks, each under the name that node gives it. */
const readings: Record<string, Reading> = {
  headers: {
    read: (req) => (req[kNodeHeaders] ??= readFields(req)),
    write: (req, value) => (req[kNodeHeaders] = value),
  },
  headersDistinct: {
    read: (req) => (req[kDistinct] ??= collectDistinct(req, known(req))),
    write: (req, value) => (req[kDistinct] = value),
  },
  trailers: {
    read: (req) => (req[kNodeTrailers] ??= collectFields(req, knownTrailers(req))),
    write: (req, value) => (req[kNodeTrailers] = value),
  },
  trailersDistinct: {
    read: (req) => (req[kTrailersDistinct] ??= collectDistinct(req, knownTrailers(req))),
    write: (req, value) => (req[kTrailersDistinct] = value),
  },
};

function knownTrailers(req: OwnRequest): string[] {
  return Object.hasOwn(req, 'rawTrailers') ? req.rawTrailers : (req[kTrailerLines] ?? []);
}

/** The trailer section has arrived: names and values in turn. */
export function addTrailers(req: OwnRequest, trailers: string[]): void {
  const lines = req[kTrailerLines];
  if (lines === null) req[kTrailerLines] = trailers;
  else lines.push(...trailers);
  req[kTrailersCount] = trailers.length;
  // Read before they came: node fills in the object that it gave.
  const given = req[kNodeTrailers] as Fields | null;
  if (given !== null) Object.assign(given, collectFields(req, trailers));
}

function isEngines(req: OwnRequest): boolean {
  return req[kConnection] !== undefined;
}

let engineHeaders: unknown;

/** The engine's own way to read `headers`. */
export const headersGetter = (): unknown => engineHeaders;

/** Puts the readings in front of node's; for a request that is not the engine's they step aside. */
export function defineFieldReadings(prototype: object): void {
  for (const [name, { read, write }] of Object.entries(readings)) {
    const inherited = Object.getOwnPropertyDescriptor(nodeIncoming, name);
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
