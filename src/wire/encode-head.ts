import { httpDate } from '../core/clock.js';
import { REASONS } from '../core/status.js';

const lines: string[] = [];

/** `HTTP/1.1 200 OK` and CRLF (RFC 9112 §4), kept for the standard phrases. */
export function statusLine(status: number, reason: string): string {
  const known = lines[status];
  if (known !== undefined && reason === REASONS[status]) return known;
  const line = `HTTP/1.1 ${status} ${reason}\r\n`;
  if (reason === REASONS[status]) lines[status] = line;
  return line;
}

let date = '';
let timeout = -1;
let most = -1;
let closing = '';

/**
 * The Date, Connection and Keep-Alive lines of an answer after which the connection stays open. They change once a second,
 * so the text is one string for all answers of that second.
 *
 * @param keepAliveTimeout ms; 0 sends no Keep-Alive line
 * @param maxRequests requests that the connection may carry; 0 for no limit
 */
export function keepAliveLines(keepAliveTimeout: number, maxRequests: number): string {
  const now = httpDate();
  if (now !== date || keepAliveTimeout !== timeout || maxRequests !== most) {
    date = now;
    timeout = keepAliveTimeout;
    most = maxRequests;
    const max = maxRequests > 0 ? `, max=${maxRequests}` : '';
    const hint = keepAliveTimeout ? `Keep-Alive: timeout=${Math.floor(keepAliveTimeout / 1000)}${max}\r\n` : '';
    closing = `Date: ${now}\r\nConnection: keep-alive\r\n${hint}`;
  }
  return closing;
}
