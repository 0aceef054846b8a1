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

/** Field lines that `headers` shows when `server.maxHeadersCount` is not set. */
export const DEFAULT_MAX_HEADERS_COUNT = 1000;

/** Whether the running Node takes HTAB, and not only SP, behind a Content-Length (llhttp of Node 20 does not). */
export const CONTENT_LENGTH_MAY_END_IN_HTAB = nodeMajor >= 22;

/** Field lines after which node's parser hands over what it has; a head with fewer is never cut by `maxHeadersCount`. */
export const FIELD_LINES_AT_ONCE = 31;

/** Whether `rawHeaders` ends exactly at `maxHeadersCount` (Node 22 and later), or with the last full batch (Node 20). */
export const RAW_HEADERS_ARE_CUT = nodeMajor >= 22;
