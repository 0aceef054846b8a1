import assert = require('node:assert/strict');
import { once } from 'node:events';
import type http = require('node:http');
import type http2 = require('node:http2');
import { inspect, isDeepStrictEqual } from 'node:util';
import { AnswerReader, type RawAnswer } from '../support/raw-answer.js';
import { ask, openSession, type Http2Answer, type Http2Ask } from '../support/http2-client.js';

/** The compared parts of an answer, which both protocols have. */
export interface Compared {
  readonly status: number;
  readonly fields: readonly string[];
  readonly body: string;
  readonly trailers: readonly string[];
}

/** Stands for a stream that ends without an answer. */
export const RESET = 'the stream is reset';

/** RFC 9113 §8.2.2: fields that HTTP/2 does not have, and Date, which depends on the clock. */
const LEFT_OUT = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'date']);

/** Hides a date of a cookie that depends on the clock. */
export const then = (value: string): string =>
  value.replace(/Expires=\w{3}, \d\d \w{3} 20[2-9]\d \d\d:\d\d:\d\d GMT/g, 'Expires=<then>');

function told(fields: readonly (readonly [name: string, value: string])[], status = 0): string[] {
  const values = new Map<string, string>();
  for (const [spelt, value] of fields) {
    const name = spelt.toLowerCase();
    if (LEFT_OUT.has(name) || (status === 204 && name === 'content-length')) continue;
    // RFC 9110 §5.3: several lines with one name are one list, except for cookies.
    const before = values.get(name);
    const between = name === 'set-cookie' ? '\n' : ', ';
    values.set(name, before === undefined ? then(value) : `${before}${between}${then(value)}`);
  }
  return [...values].map(([name, value]) => `${name}: ${value}`);
}

/** An answer whose Content-Length differs from its body: an HTTP/2 client refuses it, an HTTP/1 client reads a part of it. */
export const MISMEASURED = 'Content-Length is not the length';

/** An HTTP/1 answer without what HTTP/2 lacks; {@link RESET} if the connection ended before the whole answer. */
export function comparedOf1(wire: string, method: string): Told['answer'] | typeof MISMEASURED {
  const reader = new AnswerReader();
  reader.methods.push(method);
  let answer: RawAnswer | undefined;
  try {
    [answer] = reader.push(Buffer.from(wire, 'latin1'));
    answer ??= reader.finish();
  } catch {
    return MISMEASURED;
  }
  if (answer === undefined) return RESET;
  if (reader.unread.length > 0) return MISMEASURED;
  const { status, fields, body, trailers } = answer;
  return { status, fields: told(fields, status), body: body.toString('latin1'), trailers: told(trailers) };
}

/** An answer over HTTP/2, without Date; undefined if it is not whole. */
export function comparedOf2({ status, fields, body, trailers, whole }: Http2Answer): Compared | undefined {
  if (!whole) return undefined;
  return { status, fields: told(fields, status), body: body.toString('latin1'), trailers: told(trailers) };
}

const FORBIDDEN = new Set(['connection', 'keep-alive', 'proxy-connection', 'upgrade', 'host']);

/** The same request over HTTP/2; undefined if HTTP/2 cannot carry it, or if it is about HTTP/1 only. */
export function askOf(bytes: Buffer): Http2Ask | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  const head = bytes.toString('latin1', 0, end);
  const [first, ...lines] = head.split('\r\n');
  const [, method, path] = /^([A-Z-]+) (\/\S*|\*) HTTP\/1\.1$/.exec(first) ?? [];
  // The limits differ: docs/compat has the row.
  if (end > 16_000) return undefined;
  if (end === -1 || method === undefined || method === 'CONNECT' || /[^\x20-\x7e\r\n]/.test(head)) return undefined;
  // RFC 9113 §8.3.1: `*` is only for OPTIONS.
  if (path === '*' && method !== 'OPTIONS') return undefined;
  const headers: Record<string, string | string[]> = { ':method': method, ':path': path };
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    if (/^(?:transfer-encoding|expect|te|http2-settings)$/.test(name)) return undefined;
    if (name === 'connection' && !/^(?:close|keep-alive)$/i.test(value)) return undefined;
    if (name === 'host' && headers[':authority'] !== undefined) return undefined;
    // nghttp2 refuses other authorities (RFC 3986 §3.2) without asking the server.
    if (name === 'host' && !/^[\w!$%&'()*+,.:;=~[\]-]+$/.test(value)) return undefined;
    if (name === 'host') headers[':authority'] = value;
    if (FORBIDDEN.has(name)) continue;
    // node's client sends some fields only once; that is not under test.
    if (headers[name] !== undefined) return undefined;
    headers[name] = value;
  }
  const body = bytes.subarray(end + 4);
  if (headers['content-length'] === undefined ? body.length > 0 : Number(headers['content-length']) !== body.length)
    return undefined;
  return { headers, body: body.length > 0 ? body : undefined };
}

/** An HTTP/2 server; messages of the package must answer every stream. */
export class Http2Side {
  private constructor(
    private readonly server: http.Server,
    private readonly session: http2.ClientHttp2Session,
    private readonly streams: { ours: number; others: number; sent: number },
  ) {}

  static async open(listen: (options: object) => http.Server): Promise<Http2Side> {
    const server = listen({ port: 0, host: '127.0.0.1', http2: true });
    const streams = { ours: 0, others: 0, sent: 0 };
    server.prependListener('request', (req) => {
      const marked = Object.getOwnPropertySymbols(req).some(({ description }) => description === 'nonstop.stream');
      streams[marked ? 'ours' : 'others']++;
    });
    await once(server, 'listening');
    return new Http2Side(server, await openSession(server), streams);
  }

  async send(asked: Http2Ask): Promise<Compared | undefined> {
    this.streams.sent++;
    return comparedOf2(await ask(this.session, asked));
  }

  /** Ends it without waiting for streams under way. @returns how many were answered by messages of the package */
  drop(): number {
    this.session.destroy();
    this.server.close();
    assert.equal(this.streams.others, 0, 'streams answered by node:http2');
    return this.streams.ours;
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.session.close();
    this.server.close();
    await closed;
    const { ours, others, sent } = this.streams;
    assert.deepEqual({ ours, others }, { ours: sent, others: 0 }, 'streams answered by this package');
  }
}

/** The result of one row over one protocol. */
export interface Told {
  readonly answer: Compared | typeof RESET;
  readonly notes: readonly unknown[];
}

/** @returns undefined if both are equal; otherwise the different parts of each */
export function difference(over1: Told, over2: Told): string | undefined {
  if (isDeepStrictEqual(over1, over2)) return undefined;
  const show = (told: Told, other: Told): string => {
    if (typeof told.answer === 'string' || typeof other.answer === 'string') return inspect(told, { depth: 4 });
    const parts = { ...told.answer, notes: told.notes } as Record<string, unknown>;
    const others = { ...other.answer, notes: other.notes } as Record<string, unknown>;
    const names = Object.keys(parts).filter((name) => !isDeepStrictEqual(parts[name], others[name]));
    return inspect(Object.fromEntries(names.map((name) => [name, parts[name]])), { depth: 4, breakLength: Infinity });
  };
  return `HTTP/1: ${show(over1, over2)}\nHTTP/2: ${show(over2, over1)}`;
}
