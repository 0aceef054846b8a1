import type { NodeMethods } from '../node/classes.js';
import type http = require('node:http');
import type { Socket } from 'node:net';
import type { RequestState, ResponseState } from '../node/message-state.js';
import type { RepeatedFields } from './request/repeated-fields.js';
import type { FieldName } from './response/field-names.js';
import type { FieldValue } from './response/field-value.js';

/**
 * The state of a request or response of the engine. An object without it was made by node or by a test, and every method
 * of the engine's prototypes leaves it to node's own code.
 */
export const enum Life {
  /** node's own code runs it. */
  Node = 0,
  /** The engine runs it. */
  Lean = 1,
  /** A response after `end()`. The engine sends it and emits its last events. */
  Ended = 2,
}

export const kLife: unique symbol = Symbol('nonstop.life');
export const kConnection: unique symbol = Symbol('nonstop.connection');
/** On a response, also of HTTP/2: its request. `res.req` is a plain property that programs replace. */
export const kRequest: unique symbol = Symbol('nonstop.request');

/** The message of the engine that `holder` is, or inherits from. */
export function messageOf(holder: object): object | null {
  let owner: object | null = holder;
  while (owner !== null && !Object.hasOwn(owner, kLife)) owner = Object.getPrototypeOf(owner) as object | null;
  return owner;
}

/** `res` is used. If it has ended, it finishes in a tick from here on ({@link MessageHost.finishLater}). */
export function noteUse(res: EngineResponse): void {
  if (res[kLife] === Life.Ended) res[kConnection].finishLater(messageOf(res) as EngineResponse);
}

const LISTEN = ['on', 'addListener', 'once', 'prependListener', 'prependOnceListener'];

/**
 * The methods that add listeners.
 *
 * @param genuine node's methods of the same names
 * @param before called with the message, or with an object that inherits from one, before a listener is added
 */
export function listenMethodsOf(genuine: NodeMethods, before: (message: never) => void): Record<string, unknown> {
  return Object.fromEntries(
    LISTEN.map((name) => {
      const method = function (this: never, _event: unknown, _listener: unknown): unknown {
        before(this);
        return genuine[name].apply(this, arguments as never);
      };
      return [name, Object.defineProperty(method, 'name', { value: genuine[name].name })];
    }),
  );
}

export const kFields: unique symbol = Symbol('nonstop.fields');
export const kOctetsOutsideAscii: unique symbol = Symbol('nonstop.obsText');
export const kPending: unique symbol = Symbol('nonstop.pending');

/** A node server, with members that are missing in the oldest supported types. */
export interface NodeServer extends http.Server {
  requireHostHeader?: boolean;
  joinDuplicateHeaders?: boolean;
  rejectNonStandardBodyWrites?: boolean;
  httpAllowHalfOpen?: boolean;
  insecureHTTPParser?: boolean;
  httpValidation?: string;
  maxHeaderSize?: number;
  keepAliveTimeoutBuffer?: number;
  connectionsCheckingInterval?: number;
  shouldUpgradeCallback?: (req: http.IncomingMessage) => boolean;
}

/** A whole response: a head in ASCII, then a body. */
export interface Answer {
  /** The head, followed by the body if that is text. */
  text: string;
  /** The text has characters outside ASCII and is sent as UTF-8. */
  utf8: boolean;
  body: Uint8Array | null;
}

/** The writer for parts of the current response. */
export interface PartSink {
  /** Called when the socket has sent the last part of a response. */
  readonly sent: (error?: Error | null) => void;
  /** That of the socket, in octets: a text of this length or more exceeds it. */
  readonly highWaterMark: number;
  /** @returns whether there is room for more; if not, the response gets `'drain'` later */
  write(part: string | Uint8Array, utf8: boolean): boolean;
  /** Sends the writes of `res` in this tick together, as node does, unless the socket is corked. */
  gather(res: EngineResponse): void;
}

interface ReadState {
  /** Handlers run, called by a read, and their ticks come when it has been handled. */
  readonly isHandling: boolean;
}

/** The members of a connection that its messages use. */
export interface MessageHost {
  readonly reading: ReadState;
  /** The `headers` of lines that repeat. */
  readonly repeatedFields: RepeatedFields;
  /** Whether the same field lines came twice in a row, so that their `headers` are worth keeping in {@link repeatedFields}. */
  repeats(lines: string): boolean;
  readonly socket: Socket;
  readonly server: NodeServer;
  readonly outbox: PartSink;
  /** That of the server when the connection was opened, as under node; 0 for no limit. */
  readonly maxHeadersCount: number;
  /** With the server's option `uniqueHeaders`, in lower case. */
  readonly engine: { readonly uniqueHeaders: unknown };
  /**
   * Takes the whole response `res`, to send it at its turn. The parts of an {@link Answer} are arguments, because few
   * responses wait.
   *
   * @returns false if the socket was ended or failed: node's code then handles the response
   */
  answer(res: EngineResponse, text: string, utf8: boolean, body: Uint8Array | null): boolean;
  /** Whether it is the turn of `res`, so that its writes go to the socket. */
  mayWrite(res: EngineResponse): boolean;
  /** `res` is used after its end: an error follows in a tick, which has to find the response in node's state. */
  finishLater(res: EngineResponse): void;
  /** `res` has emitted that it is sent. */
  finished(res: EngineResponse): void;
  /** The stream of `req` is used. */
  touched(req: EngineRequest): void;
  /** node's `_onPendingData`: the octets in waiting responses grew by `delta`. */
  countPending(delta: number): void;
}

/** A request of the engine. */
export interface EngineRequest extends http.IncomingMessage, RequestState {
  [kLife]: Life;
  [kConnection]: MessageHost;
}

/** A response of the engine. */
export interface EngineResponse extends Omit<http.ServerResponse, 'req' | keyof ResponseState>, ResponseState {
  [kRequest]: EngineRequest;
  /** For programs, which may replace it. */
  req: unknown;
  [kLife]: Life;
  [kConnection]: MessageHost;
  /**
   * See `http/response/field-list`; null until a field is set. The list has its end in itself: an object that inherits from the response sets
   * fields of the response, as under node.
   */
  [kFields]: (FieldName | FieldValue | null)[] | null;
  /** A value has octets above 0x7f: node decides on the encoding of the head. */
  [kOctetsOutsideAscii]: boolean;
  /** The encoded response, while it waits for earlier ones on the connection. */
  [kPending]: Answer | null;
  /** node's own state, under its symbols. */
  [nodeState: symbol]: unknown;
}

/**
 * Defines a method over node's with the same enumerability, so that `for (name in message)` lists the same names as under
 * node.
 */
export function defineMethod(prototype: object, name: string, value: unknown): void {
  let holder = Object.getPrototypeOf(prototype) as object | null;
  while (holder !== null && !Object.hasOwn(holder, name)) holder = Object.getPrototypeOf(holder) as object | null;
  const enumerable = holder !== null && Object.getOwnPropertyDescriptor(holder, name)!.enumerable;
  Object.defineProperty(prototype, name, { value, writable: true, enumerable, configurable: true });
}
