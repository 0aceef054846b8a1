import { httpDate } from '../core/clock.js';
import { inOnePiece } from '../core/strings.js';

/** The last reason phrase of each status, with its status line. */
const reasons: string[] = [];
const lines: string[] = [];

/** Longer phrases are not kept: a program may build them from what clients send. */
const LONGEST_REASON = 64;

/** `HTTP/1.1 200 OK` and CRLF (RFC 9112 §4), kept for the phrase that a status had last. */
export function statusLine(status: number, reason: string): string {
  if (reasons[status] === reason) return lines[status];
  const line = inOnePiece(`HTTP/1.1 ${status} ${reason}\r\n`);
  if (reason.length <= LONGEST_REASON) {
    reasons[status] = reason;
    lines[status] = line;
  }
  return line;
}

let date = '';
let timeout = -1;
let most: number | null = -1;
let closing = '';
let closingHead = '';
/** Whether {@link closingHead} is in one piece. It is, from its second use on: servers whose timeouts differ may take turns. */
let inPiece = false;

/**
 * The Keep-Alive field line, as node writes it.
 *
 * @param keepAliveTimeout ms; 0 sends no line
 * @param maxRequests requests that the connection may carry; undefined or 0 for no limit
 */
export function keepAliveHint(keepAliveTimeout: number, maxRequests: number | null): string {
  if (!keepAliveTimeout) return '';
  const max = ~~(maxRequests ?? 0) > 0 ? `, max=${maxRequests}` : '';
  return `Keep-Alive: timeout=${Math.floor(keepAliveTimeout / 1000)}${max}\r\n`;
}

/**
 * The Date, Connection and Keep-Alive lines of a response after which the connection stays open. They change once a
 * second, so all responses of a second share one string.
 */
export function keepAliveLines(keepAliveTimeout: number, maxRequests: number | null): string {
  const now = httpDate();
  if (now !== date || keepAliveTimeout !== timeout || maxRequests !== most) {
    date = now;
    timeout = keepAliveTimeout;
    most = maxRequests;
    closing = `Date: ${now}\r\nConnection: keep-alive\r\n${keepAliveHint(keepAliveTimeout, maxRequests)}`;
    closingHead = '';
    inPiece = false;
  }
  return closing;
}

/** The same with the empty line that ends a head. */
export function keepAliveEnd(keepAliveTimeout: number, maxRequests: number | null): string {
  const lines = keepAliveLines(keepAliveTimeout, maxRequests);
  if (inPiece) return closingHead;
  if (closingHead === '') return (closingHead = lines + '\r\n');
  inPiece = true;
  return (closingHead = inOnePiece(closingHead));
}

/**
 * A whole body in the chunked transfer coding (RFC 9112 §7.1): one chunk and the last chunk.
 *
 * @param size octets of `body`
 */
export function encodeChunkedWhole(body: string, size: number): string {
  return size === 0 ? '0\r\n\r\n' : `${size.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
}

/** The size line of a chunk; its data and CRLF are to follow. @param size octets of the data, at least 1 */
export function encodeChunkStart(size: number): string {
  return `${size.toString(16)}\r\n`;
}

/** One chunk; more follow. @param size octets of `data`, at least 1: an empty chunk would be the last one */
export function encodeChunk(data: string, size: number): string {
  return `${size.toString(16)}\r\n${data}\r\n`;
}
