import { asConstructor } from '../../core/hidden.js';
import type { Socket } from 'node:net';
import {
  kReadField,
  kTaken,
  kUnconditional,
  kUnread,
  kCollectBody,
  kUntouched,
  type BodyCollector,
} from '../../core/shortcuts.js';
import { incomingPrototype, putDoors } from '../../node/doors.js';
import { NodeRequest } from '../../node/classes.js';
import {
  kAbortController,
  kAbortSignalDetached,
  kAbortSignalListener,
  kAbortSignalSocket,
  kHeadersCount,
  kNodeHeaders,
  kNodeTrailers,
  kTrailersCount,
} from '../../node/message-state.js';
import { callable, construct } from '../callable.js';
import { Fact } from '../../wire/facts.js';
import type { RequestParser } from '../../wire/parser.js';
import {
  type EngineRequest,
  type EngineResponse,
  type MessageHost,
  Life,
  kConnection,
  kLife,
  kRequest,
  defineMethod,
  messageOf,
} from '../message.js';
import {
  HeadersCount,
  Reply,
  kBody,
  kBodySize,
  kCollector,
  kConditional,
  kLines,
  kReply,
  type OwnRequest,
} from './own-request.js';
import { becomeNodeRequest, collectWith, isUntouchedRequest, listenMethods } from './body.js';
import { defineLazyFields, openRawHeaders, openRawTrailers, replaceRawHeaders } from './fields.js';
import { readField } from './one-field.js';

/**
 * `http.IncomingMessage` with the engine's accessors over node's. An instance made by `new` works entirely as node's; the
 * engine's own come from `requestClass()`. Both share the prototype, so a patch reaches both.
 */
export const IncomingMessage = callable(
  NodeRequest,
  function IncomingMessage(this: object, ...args: unknown[]): unknown {
    return construct(NodeRequest, this, args, new.target);
  },
);

/**
 * The listeners of a request, by event. node's `EventEmitter` makes an object without a prototype in 40 ns; a constructor
 * makes an equal one in 5 ns, with a quarter of the memory.
 */
const Listeners = asConstructor(function Listeners() {});
Listeners.prototype = Object.create(null);

type OwnState = Omit<OwnRequest, 'statusCode' | 'statusMessage'> & Record<PropertyKey, unknown>;

/** Builds the constructor of requests whose prototype is `prototype`, which must inherit from `IncomingMessage.prototype`. */
export function requestClass(prototype: object): new (connection: MessageHost, parser: RequestParser) => EngineRequest {
  // Each prototype has its own constructor, so the requests of one server share one hidden class.
  function Request(this: OwnState, connection: MessageHost, parser: RequestParser): void {
    const socket: Socket = connection.socket;
    this._events = new Listeners();
    this._eventsCount = 0;
    this._maxListeners = undefined;
    this[kLife] = Life.Lean;
    this[kConnection] = connection;
    this[kLines] = parser.fields ?? parser.fieldLines;
    this[kConditional] = (parser.facts & Fact.Conditional) !== 0;
    this[kBody] = null;
    this[kBodySize] = 0;
    this[kReply] = Reply.Due;
    this[kCollector] = null;
    // The state that node's constructor and parser store; accessors provide the rest.
    this.socket = socket;
    this.httpVersionMajor = parser.major;
    this.httpVersionMinor = parser.minor;
    this.httpVersion = parser.minor === 1 && parser.major === 1 ? '1.1' : `${parser.major}.${parser.minor}`;
    this.complete = false;
    this.joinDuplicateHeaders = null;
    this.aborted = false;
    this.upgrade = false;
    this.url = parser.target;
    this.method = parser.method;
    this.statusCode = null;
    this.statusMessage = null;
    this.client = socket;
    this._consuming = false;
    this._dumped = false;
    this[kNodeHeaders] = null;
    this[kHeadersCount] = HeadersCount.Unread;
    this[kNodeTrailers] = null;
    this[kTrailersCount] = 0;
    if (kAbortController !== undefined) {
      this[kAbortController] = null;
      this[kAbortSignalSocket!] = null;
      this[kAbortSignalListener!] = null;
      this[kAbortSignalDetached!] = false;
    }
  }
  Request.prototype = prototype;
  return asConstructor<[connection: MessageHost, parser: RequestParser], EngineRequest>(Request);
}

defineLazyFields(IncomingMessage.prototype);

/**
 * Every use of the stream (`read`, `pipe`, `destroyed`, `stream.finished`, async iteration) reads `_readableState`, which turns the lean request
 * into node's. node's methods for fields read `rawHeaders` and `rawTrailers`, which are made then; the request stays lean.
 */
export function putRequestDoors(): void {
  putDoors<OwnRequest>(incomingPrototype, messageOf, [
    { name: '_readableState', open: openStream },
    { name: 'rawHeaders', open: openRawHeaders, replace: replaceRawHeaders },
    { name: 'rawTrailers', open: openRawTrailers },
  ]);
}

function openStream(req: OwnRequest): void {
  if (req[kLife] !== Life.Lean) return;
  // The connection does not know copies of a request. What reads one must not wait for the end of a body where there is none.
  if (!req.complete && isCopy(req) && !announcesBody(req)) req.complete = true;
  becomeNodeRequest(req);
}

/** Whether this is a copy, by the response that belongs to it as an application sees it. */
function isCopy(req: OwnRequest): boolean {
  const { res } = req as { readonly res?: Partial<EngineResponse> };
  const original = res?.[kRequest];
  return original !== undefined && original !== req;
}

function announcesBody(req: OwnRequest): boolean {
  return Number(readField(req, 'content-length') ?? 0) !== 0 || readField(req, 'transfer-encoding') !== undefined;
}

Object.defineProperty(IncomingMessage.prototype, kCollectBody, {
  configurable: true,
  value(this: OwnRequest, collector: BodyCollector): boolean {
    // An object that inherits from a request is read as a stream: the engine looks at the request's own properties.
    if (!Object.hasOwn(this, kLife) || !this[kUntouched]) return false;
    return collectWith(this, collector);
  },
});
Object.defineProperty(IncomingMessage.prototype, kReadField, {
  configurable: true,
  value(this: OwnRequest, name: string): string | string[] | undefined {
    return readField(this, name);
  },
});
Object.defineProperty(IncomingMessage.prototype, kUnconditional, {
  configurable: true,
  get(this: OwnRequest): boolean {
    return (
      !(this[kConditional] ?? true) &&
      this[kNodeHeaders] === null &&
      (this[kHeadersCount] as number) < 0 &&
      !Object.hasOwn(this, 'headers')
    );
  },
});
Object.defineProperty(IncomingMessage.prototype, kUntouched, {
  configurable: true,
  get(this: OwnRequest): boolean {
    return isUntouchedRequest(this);
  },
});
Object.defineProperty(IncomingMessage.prototype, kUnread, {
  configurable: true,
  get(this: OwnRequest): boolean {
    return this.complete && isUntouchedRequest(this) && !this.upgrade && Boolean(this.socket?.readable);
  },
});
Object.defineProperty(IncomingMessage.prototype, kTaken, {
  configurable: true,
  get(this: OwnRequest): boolean {
    return this[kLife] === Life.Lean && this.complete && this._consuming;
  },
});

for (const [name, listen] of Object.entries(listenMethods)) defineMethod(IncomingMessage.prototype, name, listen);
