import http = require('node:http');

/** Octets of target, field names and field values that one head may carry, unless the server says otherwise. */
export function defaultMaxHeaderSize(): number {
  return http.maxHeaderSize;
}

const nodeMajor = Number(process.versions.node.split('.', 1)[0]);

/** Octets of chunk extensions in one body before it is refused with 413, as node does (an endless extension hides a body). */
export const MAX_CHUNK_EXTENSIONS = 16_384;

/**
 * Field lines that one head may have. Node 22 and later refuse the 1001st with 431; Node 20 has no such limit of its own,
 * and drops what exceeds `server.maxHeadersCount`.
 */
export const MAX_FIELD_LINES = nodeMajor >= 22 ? 1000 : Number.POSITIVE_INFINITY;

/** What a request may carry when `server.maxHeadersCount` is not set (node's own default, in field lines). */
export const DEFAULT_MAX_HEADERS_COUNT = 2000;

/** Whether the running Node takes optional whitespace behind a Content-Length (llhttp of Node 20 does not). */
export const CONTENT_LENGTH_MAY_END_IN_OWS = nodeMajor >= 22;

/** The largest body length that arithmetic on JavaScript numbers can still count octet by octet. */
export const MAX_COUNTABLE = Number.MAX_SAFE_INTEGER;
