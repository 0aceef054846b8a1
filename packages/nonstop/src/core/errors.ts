/**
 * The catalogue of what the engine refuses on the wire. Codes and reasons are those that `node:http` gives to a
 * `'clientError'` listener (they are llhttp's), so that code which tells errors apart by `err.code` keeps working.
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
  | 'HPE_INVALID_EOF_STATE';

/**
 * A message that the parser refused. `bytesParsed` counts from the start of `rawPacket`, as node's parser errors do; llhttp
 * counts some of the octets that it refuses, which who throws says with a 1.
 */
export class WireError extends Error {
  readonly code: WireErrorCode;
  readonly reason: string;
  bytesParsed: number;
  rawPacket: Buffer | undefined = undefined;

  constructor(code: WireErrorCode, reason: string, bytesParsed = 0) {
    // At the end of a stream node's parser gives its reason only as a property.
    super(code === 'HPE_INVALID_EOF_STATE' ? 'Parse Error' : `Parse Error: ${reason}`);
    this.code = code;
    this.reason = reason;
    this.bytesParsed = bytesParsed;
    // node's parser errors are plain `Error`s: what prints or compares the name must not see a difference.
    Object.defineProperty(this, 'name', { value: 'Error', configurable: true, writable: true });
  }
}

/** What a client that goes away in the middle of its request leaves behind (node: `ConnResetException`). */
export function abortedError(): NodeJS.ErrnoException {
  const error: NodeJS.ErrnoException = new Error('aborted');
  error.code = 'ECONNRESET';
  return error;
}

/** A head or body that did not arrive within the server's `headersTimeout` or `requestTimeout`. */
export function requestTimeoutError(): NodeJS.ErrnoException {
  const error: NodeJS.ErrnoException = new Error('Request timeout');
  error.code = 'ERR_HTTP_REQUEST_TIMEOUT';
  return error;
}

/** `socket.setEncoding()` on a connection that carries HTTP (RFC 9110 messages are octets). */
export function socketEncodingError(): NodeJS.ErrnoException {
  const error: NodeJS.ErrnoException = new Error('Changing the socket encoding is not allowed per RFC7230 Section 3.');
  error.code = 'ERR_HTTP_SOCKET_ENCODING';
  return error;
}

/** The names that an engine can be chosen by: node's own HTTP, or Nonstop's. */
export const ENGINES = ['node', 'nonstop'] as const;

export type EngineName = (typeof ENGINES)[number];

/**
 * A choice of an engine that does not exist.
 *
 * @param where what holds the value: an environment variable, or a setting
 */
export function unknownEngineError(where: string, value: unknown): TypeError & { code: string } {
  return Object.assign(unknownValueError(where, value, ENGINES), { code: 'ERR_NONSTOP_ENGINE' });
}

/**
 * The same for any switch; the code is that of its name.
 *
 * @param name an environment variable
 * @param allowed all values that it can have
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

/** What would read from or write to the connection of an HTTP/2 session past the session (node: `ERR_HTTP2_NO_SOCKET_MANIPULATION`). */
export function noSocketManipulationError(): Error & { code: string } {
  const error = new Error('HTTP/2 sockets should not be directly manipulated (e.g. read and written)');
  return Object.assign(error, { code: 'ERR_HTTP2_NO_SOCKET_MANIPULATION' });
}

/** A status that HTTP/2 has no answer for: 1xx are no final ones, and above 599 there are none (RFC 9110 §15). */
export function http2StatusError(status: unknown): RangeError & { code: string } {
  return Object.assign(new RangeError(`Invalid status code: ${String(status)}`), { code: 'ERR_HTTP2_STATUS_INVALID' });
}
