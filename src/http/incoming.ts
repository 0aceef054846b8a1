import { EventEmitter } from 'node:events';
import http = require('node:http');
import type { Socket } from 'node:net';
import { FIELD_LINES_AT_ONCE } from '../core/limits.js';
import { kCollectBody, kUntouched, type BodyCollector, type CollectableRequest } from '../core/whole-body.js';
import { kUnconditional } from '../core/unconditional.js';
import { Fact } from '../wire/framing.js';
import { splitFieldLines } from '../wire/parse-head.js';
import type { RequestParser } from '../wire/parser.js';
import type { EngineRequest, MessageHost } from './messages.js';
import { Life, kConnection, kLife } from './symbols.js';

const kLines: unique symbol = Symbol('nonstop.fieldLines');
const kConditional: unique symbol = Symbol('nonstop.conditional');
const kCount: unique symbol = Symbol('nonstop.fieldCount');
const kHeaders: unique symbol = Symbol('nonstop.headers');
const kDistinct: unique symbol = Symbol('nonstop.headersDistinct');
const kRawTrailers: unique symbol = Symbol('nonstop.rawTrailers');
const kTrailers: unique symbol = Symbol('nonstop.trailers');
const kTrailersDistinct: unique symbol = Symbol('nonstop.trailersDistinct');
const kBody: unique symbol = Symbol('nonstop.body');
const kBodySize: unique symbol = Symbol('nonstop.bodySize');
const kCollector: unique symbol = Symbol('nonstop.collector');

type Fields = Record<string, string | string[] | undefined>;

/** A request of the engine with what it keeps for itself. */
interface OwnRequest extends EngineRequest, CollectableRequest {
  [kLines]: string | string[];
  /** Entries of `rawHeaders` that `headers` is made of; -1 until the lines are split. */
  [kCount]: number;
  [kConditional]: boolean;
  [kHeaders]: Fields | null;
  [kDistinct]?: Fields;
  [kRawTrailers]: string[] | null;
  [kTrailers]?: Fields;
  [kTrailersDistinct]?: Fields;
  [kBody]: Buffer[] | null;
  [kBodySize]: number;
  [kCollector]: BodyCollector | null;
}

interface NodeIncoming {
  _addHeaderLine(field: string, value: string, dest: Fields): void;
  _addHeaderLineDistinct(field: string, value: string, dest: Fields): void;
}

const nodeIncoming = http.IncomingMessage.prototype as unknown as NodeIncoming;

/**
 * `http.IncomingMessage` with the engine's readings in front. An instance made by `new` is node's in every respect; the
 * engine's own come from `requestClass()`. Both pass through the same prototype, so that patching it reaches both.
 */
export class IncomingMessage extends http.IncomingMessage {}

/** Builds the constructor of requests whose prototype is `prototype`, which must inherit from `IncomingMessage.prototype`. */
export function requestClass(prototype: object): new (connection: MessageHost, parser: RequestParser) => EngineRequest {
  // A constructor of its own for each prototype keeps the hidden class of one server's requests to itself.
  function Request(this: OwnRequest & Record<string, unknown>, connection: MessageHost, parser: RequestParser): void {
    const socket: Socket = connection.socket;
    this._events = undefined;
    this._eventsCount = 0;
    this._maxListeners = undefined;
    this[kLife] = Life.Lean;
    this[kConnection] = connection;
    this[kLines] = parser.fields ?? parser.fieldLines;
    this[kCount] = -1;
    this[kConditional] = (parser.facts & Fact.Conditional) !== 0;
    this[kHeaders] = null;
    this[kRawTrailers] = null;
    this[kBody] = null;
    this[kBodySize] = 0;
    this[kCollector] = null;
    this.socket = socket;
    this.client = socket;
    this.method = parser.method;
    this.url = parser.target;
    this.complete = false;
    if (parser.minor !== 1 || parser.major !== 1) {
      this.httpVersionMajor = parser.major;
      this.httpVersionMinor = parser.minor;
      this.httpVersion = `${parser.major}.${parser.minor}`;
    }
  }
  Request.prototype = prototype;
  return Request as unknown as new (connection: MessageHost, parser: RequestParser) => EngineRequest;
}

/**
 * Takes a piece of the body that arrived.
 *
 * @returns false when the reader has enough for now and the socket should be paused
 */
export function receiveBody(request: EngineRequest, data: Buffer): boolean {
  const req = request as OwnRequest;
  if (isOver(req)) return true;
  if (req[kLife] === Life.Node) {
    if (req._dumped) return true;
    const wanted = req.push(data);
    if (!req._consuming) noteReader(req);
    return wanted;
  }
  (req[kBody] ??= []).push(data);
  req[kBodySize] += data.length;
  const collector = req[kCollector];
  if (collector !== null) {
    if (req[kBodySize] > collector.limit) becomeNode(req);
    return true;
  }
  return req[kBodySize] < req.socket.readableHighWaterMark;
}

/**
 * node's parser lets the process have its ticks between a body and the end of its message: who listens for data has begun to
 * read by then, and what is read is not dumped when the response is out.
 */
function noteReader(req: OwnRequest): void {
  const state = req._readableState;
  if (!state.flowing && !state.readableListening) return;
  req._consuming = true;
  // With the first `_read()` of node's.
  state.readingMore = false;
}

/** The request has no body to read: its stream is over before it began (node: `_dumpAndCloseReadable`). */
export function closeStream(request: EngineRequest): void {
  request._dumped = true;
  request._consuming = true;
}

/** The message is complete; `trailers` has names and values in turn. */
export function completeRequest(request: EngineRequest, trailers: string[]): void {
  const req = request as OwnRequest;
  req.complete = true;
  if (trailers.length !== 0) {
    req[kRawTrailers] = trailers;
    // Read before they came: node fills in the object that it gave.
    if (req[kTrailers] !== undefined) Object.assign(req[kTrailers], collect(req, trailers));
  }
  if (req[kLife] === Life.Node) {
    if (!isOver(req)) req.push(null);
  } else if (req[kCollector] !== null) {
    handOverBody(req, req[kCollector]);
  }
}

function handOverBody(req: OwnRequest, collector: BodyCollector): void {
  const chunks = req[kBody] ?? [];
  req[kCollector] = null;
  req[kBody] = null;
  // Read to its end, as far as anybody can tell later.
  req._dumped = true;
  req._consuming = true;
  collector.whole(chunks, req[kBodySize]);
}

/** The program has destroyed it, or the engine has given up on the rest of it. */
function isOver(req: OwnRequest): boolean {
  return req[kLife] === Life.Node ? req.destroyed : req._dumped;
}

/** The response is out: what is left of the body nobody wants (node: `_dump`). */
export function dumpUnread(request: EngineRequest): void {
  const req = request as OwnRequest;
  if (req[kLife] === Life.Lean && req.emit === EventEmitter.prototype.emit) {
    if (req.complete && req[kBody] === null) return;
    req._dumped = true;
    req[kBody] = null;
    req[kCollector] = null;
  } else if (!req._consuming && !req._readableState.resumeScheduled) {
    req._dump();
  }
}

/**
 * Builds node's own state on a request of the engine and hands over what has arrived: from here on it is the `Readable`
 * that node would have made, run by node's code.
 */
function becomeNode(req: OwnRequest): void {
  const { url, method, complete, socket, aborted, upgrade, _dumped, _consuming, joinDuplicateHeaders } =
    req as OwnRequest & {
      joinDuplicateHeaders: boolean;
    };
  const { httpVersion, httpVersionMajor, httpVersionMinor } = req;
  const lines = req[kLines];
  const count = req[kCount];
  const rawTrailers = req[kRawTrailers];
  const body = req[kBody];
  const collector = req[kCollector];
  const consumed = _consuming;
  req[kLife] = Life.Node;
  // An own property first, or node's assignment would end in the accessor that brought us here.
  defineOwn(req, '_readableState', undefined);
  (http.IncomingMessage as unknown as (this: OwnRequest, socket: Socket) => void).call(req, socket);
  req[kLines] = lines;
  req[kCount] = count;
  req[kRawTrailers] = rawTrailers;
  req[kBody] = null;
  Object.assign(req, { url, method, httpVersion, httpVersionMajor, httpVersionMinor, aborted, upgrade });
  if (joinDuplicateHeaders) Object.assign(req, { joinDuplicateHeaders });
  req.complete = complete;
  if (consumed) {
    endQuietly(req);
    return;
  }
  if (_dumped) {
    if (complete) req.push(null);
    req._dump();
    return;
  }
  if (body !== null) {
    for (const data of body) req.push(data);
  }
  if (complete) req.push(null);
  if (collector !== null) {
    req[kCollector] = null;
    collector.asStream();
  }
}

/** The body was handed over whole: its stream has ended, and was heard to. */
function endQuietly(req: OwnRequest): void {
  Object.assign(req._readableState, {
    ended: true,
    endEmitted: true,
    destroyed: true,
    closed: true,
    closeEmitted: true,
  });
  req._dumped = true;
  req._consuming = true;
}

function collect(req: OwnRequest, raw: string[]): Fields {
  const dest: Fields = {};
  for (let i = 0; i < raw.length; i += 2) nodeIncoming._addHeaderLine.call(req, raw[i], raw[i + 1], dest);
  return dest;
}

function collectDistinct(req: OwnRequest, raw: string[]): Fields {
  const dest = Object.create(null) as Fields;
  for (let i = 0; i < raw.length; i += 2) nodeIncoming._addHeaderLineDistinct.call(req, raw[i], raw[i + 1], dest);
  return dest;
}

function rawFields(req: OwnRequest): string[] {
  if (req[kCount] !== -1) return req[kLines] as string[];
  const lines = req[kLines];
  const raw = typeof lines === 'string' ? splitFieldLines(lines) : lines;
  const most = req[kConnection].maxHeadersCount * 2;
  if (most > 0 && raw.length > FIELD_LINES_AT_ONCE * 2) raw.length = Math.min(raw.length, keptInBatches(most));
  req[kCount] = most > 0 ? Math.min(raw.length, most) : raw.length;
  return (req[kLines] = raw);
}

/** Entries of `rawHeaders` that node keeps of a head which its parser hands over in batches: no batch is cut. */
function keptInBatches(most: number): number {
  const batch = FIELD_LINES_AT_ONCE * 2;
  return Math.ceil(most / batch) * batch;
}

function known(req: OwnRequest): string[] {
  const raw = rawFields(req);
  return req[kCount] < raw.length ? raw.slice(0, req[kCount]) : raw;
}

function defineOwn(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
}

interface Reading {
  read: (req: OwnRequest) => unknown;
  write: (req: OwnRequest, value: never) => void;
}

/** What is read from a request of the engine when somebody asks, each under the name that node gives it. */
const readings: Record<string, Reading> = {
  headers: {
    read: (req) => (req[kHeaders] ??= collect(req, known(req))),
    write: (req, value) => (req[kHeaders] = value),
  },
  headersDistinct: {
    read: (req) => (req[kDistinct] ??= collectDistinct(req, known(req))),
    write: (req, value) => (req[kDistinct] = value),
  },
  rawHeaders: {
    read: rawFields,
    write: (req, value: string[]) => {
      req[kLines] = value;
      if (req[kCount] === -1) req[kCount] = value.length;
    },
  },
  rawTrailers: {
    read: (req) => (req[kRawTrailers] ??= []),
    write: (req, value) => (req[kRawTrailers] = value),
  },
  trailers: {
    read: (req) => (req[kTrailers] ??= collect(req, req[kRawTrailers] ?? [])),
    write: (req, value) => (req[kTrailers] = value),
  },
  trailersDistinct: {
    read: (req) => (req[kTrailersDistinct] ??= collectDistinct(req, req[kRawTrailers] ?? [])),
    write: (req, value) => (req[kTrailersDistinct] = value),
  },
};

function isEngines(req: OwnRequest): boolean {
  return req[kConnection] !== undefined;
}

for (const [name, { read, write }] of Object.entries(readings)) {
  const inherited = Object.getOwnPropertyDescriptor(nodeIncoming, name);
  Object.defineProperty(IncomingMessage.prototype, name, {
    configurable: true,
    enumerable: false,
    get(this: OwnRequest): unknown {
      return isEngines(this) ? read(this) : inherited?.get?.call(this);
    },
    set(this: OwnRequest, value: never): void {
      if (isEngines(this)) write(this, value);
      else if (inherited?.set !== undefined) inherited.set.call(this, value);
      else defineOwn(this, name, value);
    },
  });
}

// Every way into the stream machinery (`on`, `read`, `pipe`, `destroyed`, `stream.finished`, async iteration) reads
// `_readableState`; so this one accessor is the door from the lean request to node's own.
Object.defineProperty(IncomingMessage.prototype, '_readableState', {
  configurable: true,
  enumerable: false,
  get(this: OwnRequest): unknown {
    if (this[kLife] !== Life.Lean) return undefined;
    becomeNode(this);
    return this._readableState;
  },
  set(this: OwnRequest, value: unknown): void {
    defineOwn(this, '_readableState', value);
  },
});

// `signal` (Node 26) keeps private state that only node's constructor makes.
const nodeSignal = Object.getOwnPropertyDescriptor(nodeIncoming, 'signal');
if (nodeSignal?.get !== undefined) {
  const getSignal = nodeSignal.get;
  Object.defineProperty(IncomingMessage.prototype, 'signal', {
    configurable: true,
    enumerable: false,
    get(this: OwnRequest): unknown {
      if (this[kLife] === Life.Lean) becomeNode(this);
      return getSignal.call(this);
    },
  });
}

Object.defineProperty(IncomingMessage.prototype, kCollectBody, {
  configurable: true,
  value(this: OwnRequest, collector: BodyCollector): boolean {
    if (!this[kUntouched]) return false;
    this[kCollector] = collector;
    return true;
  },
});
Object.defineProperty(IncomingMessage.prototype, kUnconditional, {
  configurable: true,
  get(this: OwnRequest): boolean {
    return this[kConditional] === false && this[kHeaders] === null && this[kCount] === -1;
  },
});
Object.defineProperty(IncomingMessage.prototype, kUntouched, {
  configurable: true,
  get(this: OwnRequest): boolean {
    if (this[kLife] !== Life.Lean || this.complete || this._dumped) return false;
    if (this[kBody] !== null || this[kCollector] !== null) return false;
    return this.emit === EventEmitter.prototype.emit;
  },
});

// What node's constructor would store on each request although it hardly ever differs: one copy for all of the engine's.
Object.assign(IncomingMessage.prototype, {
  httpVersionMajor: 1,
  httpVersionMinor: 1,
  httpVersion: '1.1',
  upgrade: false,
  aborted: false,
  joinDuplicateHeaders: false,
  statusCode: null,
  statusMessage: null,
  _consuming: false,
  _dumped: false,
});
