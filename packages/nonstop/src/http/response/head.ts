import { httpDate } from '../../core/clock.js';
import { kUniqueHeaders } from '../../node/response-state.js';
import { keepAliveHint, keepAliveLines, statusLine } from '../../wire/encode.js';
import { fieldLine } from './field-lines.js';
import { Role, type FieldName } from './field-names.js';
import { kFields, kFieldsEnd, type EngineResponse, type FieldValue } from '../message-types.js';

// node: /(?:^|\W)close(?:$|\W)/i over the value of Connection.
const CLOSE = /(?:^|\W)close(?:$|\W)/i;

/**
 * Makes the head of a response and stores it in `_header`, as node's `_storeHeader` does for the cases that stay with the
 * engine: same fields in the same order, same decision on whether the connection stays open (RFC 9112 §9.3).
 */
export function storeHead(res: EngineResponse): void {
  const status = res.statusCode;
  if (status === 204 || status === 304 || (status >= 100 && status <= 199)) res._hasBody = false;
  // A client that waits for 100 Continue and got a final answer may or may not send its body: RFC 9110 §10.1.1.
  if (res._expect_continue && !res._sent100) res.shouldKeepAlive = false;

  let head = statusLine(status, res.statusMessage);
  let hasConnection = false;
  let hasLength = false;
  let hasDate = false;
  const fields = res[kFields];
  if (fields !== null) {
    const end = res[kFieldsEnd];
    for (let i = 0; i < end; i += 3) {
      const name = fields[i + 1] as string;
      const value = fields[i + 2] as FieldValue;
      const field = fields[i] as FieldName;
      const role = field.role;
      if (typeof value === 'string') head += fieldLine(field, name, value);
      else if (typeof value === 'object') head += listLines(res, name, value);
      else head += name + ': ' + value + '\r\n';
      if (role === Role.None || (typeof value === 'object' && value.length === 0)) continue;
      if (role === Role.ContentLength) {
        hasLength = true;
        res._contentLength = Number(value);
        if (res._removedContLen) res._removedContLen = false;
      } else if (role === Role.Connection) {
        hasConnection = true;
        if (res._removedConnection) res._removedConnection = false;
        if (CLOSE.test(String(value))) res._last = true;
        else res.shouldKeepAlive = true;
      } else if (role === Role.Date) hasDate = true;
      else if (role === Role.KeepAlive) res._defaultKeepAlive = false;
    }
  }
  head = persistence(res, head, { hasConnection, hasLength, hasDate });
  res._header = hasLength ? head + '\r\n' : head + lengthLine(res) + '\r\n';
}

interface Seen {
  hasConnection: boolean;
  hasLength: boolean;
  hasDate: boolean;
}

function persistence(res: EngineResponse, head: string, seen: Seen): string {
  const dated = res.sendDate && !seen.hasDate;
  const implicit = !res._removedConnection && !seen.hasConnection;
  const stays = res.shouldKeepAlive && (seen.hasLength || res.useChunkedEncodingByDefault);
  if (dated && implicit && stays && res._defaultKeepAlive && !res.maxRequestsOnConnectionReached) {
    return head + keepAliveLines(res._keepAliveTimeout, res._maxRequestsPerSocket);
  }
  let text = dated ? head + 'Date: ' + httpDate() + '\r\n' : head;
  if (res._removedConnection) res._last = !res.shouldKeepAlive;
  else if (!seen.hasConnection) {
    if (stays && res.maxRequestsOnConnectionReached) text += 'Connection: close\r\n';
    else if (stays) text += keepAlive(res);
    else {
      res._last = true;
      text += 'Connection: close\r\n';
    }
  }
  return text;
}

function keepAlive(res: EngineResponse): string {
  return `Connection: keep-alive\r\n${res._defaultKeepAlive ? keepAliveHint(res._keepAliveTimeout, res._maxRequestsPerSocket) : ''}`;
}

/** How the receiver finds the end of the body: RFC 9112 §6.3, with node's ways when the program removed a field. */
function lengthLine(res: EngineResponse): string {
  if (!res._hasBody) return '';
  if (!res.useChunkedEncodingByDefault) {
    res._last = true;
    return '';
  }
  if (!res._removedContLen && typeof res._contentLength === 'number')
    return `Content-Length: ${res._contentLength}\r\n`;
  if (!res._removedTE) {
    res.chunkedEncoding = true;
    return 'Transfer-Encoding: chunked\r\n';
  }
  res._last = true;
  return '';
}

function listLines(res: EngineResponse, name: string, values: readonly string[]): string {
  // RFC 9110 §5.3; Cookie is the one field whose lines join with "; " (RFC 6265 §5.4), unless the server names others.
  const unique = res[kUniqueHeaders!] as ReadonlySet<string> | null;
  const isCookie = values.length > 1 && name.length === 6 && name.toLowerCase() === 'cookie';
  if (isCookie || unique?.has(name.toLowerCase())) return `${name}: ${values.join('; ')}\r\n`;
  let lines = '';
  for (const value of values) lines += `${name}: ${value}\r\n`;
  return lines;
}
