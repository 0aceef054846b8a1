import { define } from './define-own.js';

/**
 * The catalogue of errors for messages that the engine refuses. Codes and reasons are those that `node:http` gives to a
 * `'clientError'` listener (they are llhttp's), so code that compares `err.code` keeps working.
 */
export type WireErrorCode =
  | 'HPE_INVALID_METHOD'
  | 'HPE_INVALID_URL'
  | 'HPE_INVALID_CONSTANT'
  | 'HPE_INVALID_VERSION'
  | 'HPE_INVALID_HEADER_TOKEN'
  | 'HPE_UNEXPECTED_SPACE'
  | 'HPE_CR_EXPECTED'
  | 'HPE_LF_EXPECTED'
  | 'HPE_INVALID_CONTENT_LENGTH'
  | 'HPE_UNEXPECTED_CONTENT_LENGTH'
  | 'HPE_INVALID_TRANSFER_ENCODING'
  | 'HPE_INVALID_CHUNK_SIZE'
  | 'HPE_STRICT'
  | 'HPE_HEADER_OVERFLOW'
  | 'HPE_CHUNK_EXTENSIONS_OVERFLOW'
  | 'HPE_CLOSED_CONNECTION'
  | 'HPE_PAUSED_H2_UPGRADE'
  | 'HPE_CB_HEADERS_COMPLETE'
  | 'HPE_INTERNAL'
  | 'HPE_INVALID_EOF_STATE';

/**
 * A message that the parser refused. `bytesParsed` counts from the start of `rawPacket`, as in node's parser errors.
 * llhttp counts some of the octets that it refuses as parsed: the caller then passes 1.
 */
export class WireError extends Error {
  // In node's order, which `JSON.stringify()` and logs show.
  bytesParsed: number;
  readonly code: WireErrorCode;
  readonly reason: string;
  /** Missing on an error at the end of a stream. */
  declare rawPacket?: Buffer;

  constructor(code: WireErrorCode, reason: string, bytesParsed = 0) {
    // Without frames, as those that node's parser makes. To capture and format them was a quarter of what a refused request costs. A program may have
    // frozen `Error`. For an error at the end of a stream, node has frames, and sets the reason only as a property.
    const isAtEnd = code === 'HPE_INVALID_EOF_STATE';
    const { stackTraceLimit } = Error;
    if (!isAtEnd) Reflect.set(Error, 'stackTraceLimit', 0);
    super(isAtEnd ? 'Parse Error' : `Parse Error: ${reason}`);
    if (!isAtEnd) Reflect.set(Error, 'stackTraceLimit', stackTraceLimit);
    this.bytesParsed = bytesParsed;
    this.code = code;
    this.reason = reason;
  }
}

// node prints them as `[Error: Parse Error: …]`.
Reflect.deleteProperty(WireError.prototype, 'constructor');

/** Whether the parser throws this error for the first time. A handler may throw the parser's error of another connection, which has `rawPacket`. */
export function isNewRefusal(error: unknown): error is WireError {
  return error instanceof WireError && error.rawPacket === undefined && error.code !== 'HPE_INVALID_EOF_STATE';
}

type Coded = Error & { code: string };

function textWithCode(this: Coded): string {
  return `${this.name} [${this.code}]: ${this.message}`;
}

const prototypes = new Map<object, object>(
  [Error, RangeError].map(({ prototype }) => {
    const coded = Object.create(prototype) as object;
    define(coded, 'toString', { value: textWithCode, configurable: true, writable: true });
    return [prototype, coded];
  }),
);

/** Makes an error one that reads as node's own do: with its code in its text, and in the first line of its stack. */
function withCode<E extends Error>(error: E, code: string): E & { code: string } {
  const { name } = error;
  define(error, 'name', { value: `${name} [${code}]`, configurable: true });
  try {
    // V8 writes the name into the stack when that is read first.
    void error.stack;
  } catch {
    // A program's `Error.prepareStackTrace()` has thrown.
  }
  Reflect.deleteProperty(error, 'name');
  const coded = prototypes.get(Object.getPrototypeOf(error) as object);
  // A program may have replaced `Error`.
  if (coded !== undefined) Object.setPrototypeOf(error, coded);
  return Object.assign(error, { code });
}

/** The client closed the connection in the middle of its request (node: `ConnResetException`). */
export function abortedError(): NodeJS.ErrnoException {
  const error: NodeJS.ErrnoException = new Error('aborted');
  error.code = 'ECONNRESET';
  return error;
}

/** A response was destroyed before it had sent what `method` was given (node: `ERR_STREAM_DESTROYED`). */
export function destroyedError(method: 'write' | 'end'): NodeJS.ErrnoException {
  return withCode(new Error(`Cannot call ${method} after a stream was destroyed`), 'ERR_STREAM_DESTROYED');
}

/** A head or body that did not arrive within the server's `headersTimeout` or `requestTimeout`. */
export function requestTimeoutError(): NodeJS.ErrnoException {
  return withCode(new Error('Request timeout'), 'ERR_HTTP_REQUEST_TIMEOUT');
}

/** `socket.setEncoding()` on a connection that carries HTTP (RFC 9110 messages are octets). */
export function socketEncodingError(): NodeJS.ErrnoException {
  return withCode(
    new Error('Changing the socket encoding is not allowed per RFC7230 Section 3.'),
    'ERR_HTTP_SOCKET_ENCODING',
  );
}

/** The values of the engine setting: node's own HTTP, or Nonstop's. */
export const ENGINES = ['node', 'nonstop'] as const;

export type EngineName = (typeof ENGINES)[number];

/**
 * An unknown value of the engine setting.
 *
 * @param where the name of the environment variable or setting that has the value
 */
export function unknownEngineError(where: string, value: unknown): TypeError & { code: string } {
  return Object.assign(unknownValueError(where, value, ENGINES), { code: 'ERR_NONSTOP_ENGINE' });
}

/**
 * An unknown value of any switch; the code is made from the switch's name.
 *
 * @param name an environment variable
 * @param allowed all valid values
 */
export function unknownValueError(
  name: string,
  value: unknown,
  allowed: readonly string[],
): TypeError & { code: string } {
  const names = allowed.map((each) => `'${each}'`).join(' or ');
  const given = typeof value === 'string' ? `'${value}'` : String(value);
  return Object.assign(new TypeError(`${name} is ${given}, and must be ${names}`), { code: `ERR_${name}` });
}

/** Options of `app.listen()` with which a server of HTTP/2 would not answer. @param fault what is wrong */
export function http2OptionError(fault: string): TypeError & { code: string } {
  return Object.assign(new TypeError(`app.listen(): ${fault}`), { code: 'ERR_NONSTOP_HTTP2' });
}

/** A direct read from or write to the socket of an HTTP/2 session (node: `ERR_HTTP2_NO_SOCKET_MANIPULATION`). */
export function noSocketManipulationError(): Error & { code: string } {
  const error = new Error('HTTP/2 sockets should not be directly manipulated (e.g. read and written)');
  return withCode(error, 'ERR_HTTP2_NO_SOCKET_MANIPULATION');
}

/** A status that an HTTP/2 response cannot have: 1xx is not final, and above 599 none is defined (RFC 9110 §15). */
export function http2StatusError(status: unknown): RangeError & { code: string } {
  return withCode(new RangeError(`Invalid status code: ${String(status)}`), 'ERR_HTTP2_STATUS_INVALID');
}

/** A push that belongs to a stream which has ended (node: `ERR_HTTP2_INVALID_STREAM`). */
export function http2StreamGoneError(): Error & { code: string } {
  return withCode(new Error('The stream has been destroyed'), 'ERR_HTTP2_INVALID_STREAM');
}
