import http = require('node:http');

/** Octets of target, field names and field values that one head may carry, unless the server says otherwise. */
export function defaultMaxHeaderSize(): number {
  return http.maxHeaderSize;
}

/** Octets of chunk extensions in one body before it is refused with 413, as node does (an endless extension hides a body). */
export const MAX_CHUNK_EXTENSIONS = 16_384;

const DEFAULT_MAX_HEADERS_COUNT = 1000;

/** Field lines that a head may have, or that `headers` shows of it; 0 for no limit of the number. */
export function maxHeadersCount(server: { readonly maxHeadersCount: number | null }): number {
  const { maxHeadersCount: most } = server;
  return typeof most === 'number' ? most : DEFAULT_MAX_HEADERS_COUNT;
}

/** Field lines after which node's parser hands over what it has; a head with fewer is never cut by `maxHeadersCount`. */
export const FIELD_LINES_AT_ONCE = 31;

/** What one head, or one trailer section, may carry. */
export interface HeadLimits {
  /** Octets of target, names and values: at this many the head is refused with 431. */
  readonly octets: number;
  /** Field lines: one more is refused with 431. */
  readonly lines: number;
}
