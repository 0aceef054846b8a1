import type http = require('node:http');
import type { Socket } from 'node:net';
import type { FieldName, FieldValue } from './response/field-lines.js';

/**
 * Where a request or response of the engine stands. An object without one is not the engine's: node made it, or a test
 * double did, and every method of the engine's prototypes leaves it to node's own code.
 */
export const enum Life {
  /** node's own code runs it from here. */
  Node = 0,
  /** The engine runs it. */
  Lean = 1,
  /** Response: `end()` was called. The engine sends it and tells of its end. */
  Ended = 2,
}

export const kLife: unique symbol = Symbol('nonstop.life');
export const kConnection: unique symbol = Symbol('nonstop.connection');

/** The message of the engine that `holder` is, or inherits from. */
export function messageOf(holder: object): object | null {
  let owner: object | null = holder;
  while (owner !== null && !Object.hasOwn(owner, kLife)) owner = Object.getPrototypeOf(owner) as object | null;
  return owner;
}

export const kFields: unique symbol = Symbol('nonstop.fields');
export const kFieldsEnd: unique symbol = Symbol('nonstop.fieldsEnd');
export const kOctetsOutsideAscii: unique symbol = Symbol('nonstop.obsText');
export const kPending: unique symbol = Symbol('nonstop.pending');

/** A genuine server, with the members that the oldest supported types do not know. */
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

/** A whole answer: a head in ASCII with a body behind it. */
export interface Answer {
  /** The head, with the body behind it where that is text. */
  text: string;
  /** The text has characters outside of ASCII and goes out as UTF-8. */
  utf8: boolean;
  body: Uint8Array | null;
}

/** What `headers` was made of last on a connection, and what it became if that was not the first time. */
export interface FieldsRead {
  lines: string;
  fields: Record<string, string | string[] | undefined> | null;
}

/** Where the answer whose turn it is goes in parts. */
export interface PartSink {
  /** Told by the socket that it is through with the last of an answer. */
  readonly sent: (error?: Error | null) => void;
  /** @returns whether there is room for more; if not, the response is told when there is */
  write(part: string | Uint8Array, utf8: boolean): boolean;
  /** Lets what `res` writes until the end of the tick leave together, as node does, unless somebody has corked the socket. */
  gather(res: EngineResponse): void;
}

/** What messages need of the connection that carries them. */
export interface MessageHost {
  /** Where what `headers` became is kept for the next request with the same lines. */
  readonly fieldsRead: FieldsRead;
  /** Whether field lines came for the second time in turn, so that what they became is worth keeping. */
  repeats(lines: string): boolean;
  readonly socket: Socket;
  readonly server: NodeServer;
  readonly outbox: PartSink;
  /** Octets that the socket takes before it asks its writers to wait. */
  readonly highWaterMark: number;
  /** The server's option `uniqueHeaders`, in lower case. */
  readonly uniqueHeaders: unknown;
  /**
   * Takes the whole answer of `res`, to send it when its turn comes: the parts of an {@link Answer}, as few of them wait.
   *
   * @returns false where somebody has ended the socket, or it has failed: what becomes of the answer is node's code to say
   */
  answer(res: EngineResponse, text: string, utf8: boolean, body: Uint8Array | null): boolean;
  /** It is the turn of `res`, and what it writes goes to the socket. */
  mayWrite(res: EngineResponse): boolean;
  /** `res` has ended and is called on: an error comes of it in a tick, which finds the response as it finds one of node's. */
  finishLater(res: EngineResponse): void;
  /** `res` has told that all of it is sent. */
  finished(res: EngineResponse): void;
  /** Somebody asks for the stream of `req`. */
  touched(req: EngineRequest): void;
  /** node's `_onPendingData`: octets waiting in responses whose turn has not come grew by `delta`. */
  countPending(delta: number): void;
}

/** A request that the engine made, with the members of node's that are not in its public types. */
export interface EngineRequest extends http.IncomingMessage {
  [kLife]: Life;
  [kConnection]: MessageHost;
  upgrade: boolean;
  _eventsCount: number;
  _dumped: boolean;
  _consuming: boolean;
  _dump(): void;
  _readableState: {
    resumeScheduled: boolean;
    flowing: boolean | null;
    readableListening: boolean;
    readingMore: boolean;
  };
}

/** A response that the engine made, with the members of node's that are not in its public types. */
export interface EngineResponse extends Omit<http.ServerResponse, 'req' | 'writable'> {
  writable: boolean;
  req: EngineRequest;
  [kLife]: Life;
  [kConnection]: MessageHost;
  /** Field name, name as spelt, value; and so on, in the order of the wire. Behind {@link kFieldsEnd} there is nothing. */
  [kFields]: (FieldName | FieldValue | null)[] | null;
  [kFieldsEnd]: number;
  /** Some value has octets above 0x7f: node decides in which encoding the head travels. */
  [kOctetsOutsideAscii]: boolean;
  /** An answer that waits for those before it on the connection. */
  [kPending]: Answer | null;
  /** State of node's own, under its symbols. */
  [nodeState: symbol]: unknown;
  outputSize: number;
  _trailer: string;
  _keepAliveTimeout: number;
  _maxRequestsPerSocket: number | null;
  _header: string | null;
  _headerSent: boolean;
  _hasBody: boolean;
  _last: boolean;
  _closed: boolean;
  _contentLength: number | null;
  _removedConnection: boolean;
  _removedContLen: boolean;
  _removedTE: boolean;
  _defaultKeepAlive: boolean;
  _expect_continue: boolean;
  _sent100: boolean;
  chunkedEncoding: boolean;
  finished: boolean;
  destroyed: boolean;
  maxRequestsOnConnectionReached: boolean;
  _events: unknown;
  _eventsCount: number;
  _implicitHeader(): void;
  _onPendingData(delta: number): void;
  _send(data: unknown, encoding?: unknown, callback?: unknown, size?: unknown): boolean;
  _writeRaw(data: unknown, encoding?: unknown, callback?: unknown, size?: unknown): boolean;
  outputData: { data: unknown; encoding: unknown; callback: unknown }[];
}

interface StoredField {
  readonly field: FieldName;
  readonly name: string;
  readonly value: FieldValue;
}

/** The fields of a response of the engine, in their order: for whatever is not on the way of each answer. */
export function storedFields(res: EngineResponse): StoredField[] {
  const stored: StoredField[] = [];
  const fields = res[kFields] ?? [];
  for (let i = 0; i < res[kFieldsEnd]; i += 3) {
    stored.push({ field: fields[i] as FieldName, name: fields[i + 1] as string, value: fields[i + 2] as FieldValue });
  }
  return stored;
}

/**
 * Puts a method in front of node's of the same name, and as visible as that one: `for (name in message)` lists what it lists under
 * node.
 */
export function defineMethod(prototype: object, name: string, value: unknown): void {
  let holder = Object.getPrototypeOf(prototype) as object | null;
  while (holder !== null && !Object.hasOwn(holder, name)) holder = Object.getPrototypeOf(holder) as object | null;
  const enumerable = holder !== null && Object.getOwnPropertyDescriptor(holder, name)!.enumerable;
  Object.defineProperty(prototype, name, { value, writable: true, enumerable, configurable: true });
}
