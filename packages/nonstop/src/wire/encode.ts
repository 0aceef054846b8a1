import { httpDate } from '../core/clock.js';
import { inOnePiece, ownString } from '../core/strings.js';
import { MOST_REQUESTS_ARE_WHOLE } from '../node/differences.js';

/** By status: the last reason phrase, and the status line with it. */
const reasons: string[] = [];
const statusLines: string[] = [];

/** Longer phrases are not kept: a program may build them from what clients send. */
const LONGEST_REASON = 64;

/** `HTTP/1.1 200 OK` and CRLF (RFC 9112 §4), kept for the phrase that a status had last. */
export function statusLine(status: number, reason: string): string {
  if (reasons[status] === reason) return statusLines[status];
  const line = inOnePiece(`HTTP/1.1 ${status} ${reason}\r\n`);
  if (reason.length <= LONGEST_REASON) {
    reasons[status] = ownString(reason);
    statusLines[status] = line;
  }
  return line;
}

/** What {@link keptLines} were made of. */
let keptDate = '';
let keptTimeout = -1;
let keptMost: number | null = -1;
/** The lines of {@link keepAliveLines}, and those of {@link keepAliveEnd}. */
let keptLines = '';
let keptEnd = '';
/** Whether {@link keptEnd} is in one piece. It is, from its second use on: servers whose timeouts differ may take turns. */
let inPiece = false;

/**
 * The Keep-Alive field line, as node writes it.
 *
 * @param keepAliveTimeout ms; 0 for no line
 * @param maxRequests requests that the connection may carry; null or 0 for no limit
 * @returns the line with its CRLF, or ''
 */
export function keepAliveHint(keepAliveTimeout: number, maxRequests: number | null): string {
  if (!keepAliveTimeout) return '';
  const most = ~~(maxRequests ?? 0);
  const max = most > 0 ? `, max=${MOST_REQUESTS_ARE_WHOLE ? most : maxRequests}` : '';
  return `Keep-Alive: timeout=${Math.floor(keepAliveTimeout / 1000)}${max}\r\n`;
}

/**
 * The Date, Connection and Keep-Alive lines of a response after which the connection stays open. They change once a
 * second, so all responses of a second share one string.
 */
export function keepAliveLines(keepAliveTimeout: number, maxRequests: number | null): string {
  const now = httpDate();
  if (now !== keptDate || keepAliveTimeout !== keptTimeout || maxRequests !== keptMost) {
    keptDate = now;
    keptTimeout = keepAliveTimeout;
    keptMost = maxRequests;
    keptLines = `Date: ${now}\r\nConnection: keep-alive\r\n${keepAliveHint(keepAliveTimeout, maxRequests)}`;
    keptEnd = '';
    inPiece = false;
  }
  return keptLines;
}

/** The same with the empty line that ends a head. */
export function keepAliveEnd(keepAliveTimeout: number, maxRequests: number | null): string {
  const lines = keepAliveLines(keepAliveTimeout, maxRequests);
  if (inPiece) return keptEnd;
  if (keptEnd === '') return (keptEnd = lines + '\r\n');
  inPiece = true;
  return (keptEnd = inOnePiece(keptEnd));
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
