import http = require('node:http');
import type { Socket } from 'node:net';
import { kUnconditional } from '../core/unconditional.js';
import { kCollectBody, kUntouched, type BodyCollector } from '../core/whole-body.js';
import { Fact } from '../wire/framing.js';
import type { RequestParser } from '../wire/parser.js';
import type { EngineRequest, MessageHost } from './messages.js';
import {
  defineOwn,
  kBody,
  kBodySize,
  kCollector,
  kConditional,
  kCount,
  kHeaders,
  kLines,
  kRawTrailers,
  type OwnRequest,
} from './own-request.js';
import { becomeNodeRequest, isUntouchedRequest } from './request-body.js';
import { defineFieldReadings } from './request-fields.js';
import { Life, kConnection, kLife } from './symbols.js';

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

defineFieldReadings(IncomingMessage.prototype);

// Every way into the stream machinery (`on`, `read`, `pipe`, `destroyed`, `stream.finished`, async iteration) reads
// `_readableState`; so this one accessor is the door from the lean request to node's own.
Object.defineProperty(IncomingMessage.prototype, '_readableState', {
  configurable: true,
  enumerable: false,
  get(this: OwnRequest): unknown {
    if (this[kLife] !== Life.Lean) return undefined;
    becomeNodeRequest(this);
    return this._readableState;
  },
  set(this: OwnRequest, value: unknown): void {
    defineOwn(this, '_readableState', value);
  },
});

// `signal` (Node 26) keeps private state that only node's constructor makes.
const nodeSignal = Object.getOwnPropertyDescriptor(http.IncomingMessage.prototype, 'signal');
if (nodeSignal?.get !== undefined) {
  const getSignal = nodeSignal.get;
  Object.defineProperty(IncomingMessage.prototype, 'signal', {
    configurable: true,
    enumerable: false,
    get(this: OwnRequest): unknown {
      if (this[kLife] === Life.Lean) becomeNodeRequest(this);
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
    return !(this[kConditional] ?? true) && this[kHeaders] === null && this[kCount] === -1;
  },
});
Object.defineProperty(IncomingMessage.prototype, kUntouched, {
  configurable: true,
  get(this: OwnRequest): boolean {
    return isUntouchedRequest(this);
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
