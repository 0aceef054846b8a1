import { once } from 'node:events';
import { inspect } from 'node:util';
import http2 = require('node:http2');
import type net = require('node:net');
import { bounded } from './bounded.js';

/** What was received on one stream. */
export interface Http2Answer {
  /** 0 if the stream was reset before an answer. */
  readonly status: number;
  /** Names and values in the order of the block, without the pseudo-header. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly informational: readonly {
    readonly status: number;
    readonly fields: readonly (readonly [string, string])[];
  }[];
  readonly body: Buffer;
  readonly trailers: readonly (readonly [name: string, value: string])[];
  /** The error code of RST_STREAM; 0 if the stream ended normally. */
  readonly reset: number;
  /** Whether the answer was complete. */
  readonly whole: boolean;
}

/** A request; if it has no pseudo-headers, they are made from the method and the path. */
export interface Http2Ask {
  readonly headers: http2.OutgoingHttpHeaders;
  readonly body?: Buffer | string | undefined;
}

/** @returns names and values in pairs, without pseudo-headers */
function pairs(raw: readonly string[]): [string, string][] {
  const all: [string, string][] = [];
  for (let i = 0; i < raw.length; i += 2) if (raw[i][0] !== ':') all.push([raw[i], raw[i + 1]]);
  return all;
}

/** Opens a session with a server that listens on 127.0.0.1. */
export async function openSession(server: net.Server, secure = false): Promise<http2.ClientHttp2Session> {
  const { port } = server.address() as net.AddressInfo;
  const session = http2.connect(`${secure ? 'https' : 'http'}://127.0.0.1:${port}`, { rejectUnauthorized: false });
  // Errors of a session also reach its streams.
  session.on('error', () => undefined);
  await once(session, 'connect');
  return session;
}

/** Sends a request and waits for the end of its stream, normal or not. @throws if it does not end in time */
export async function ask(session: http2.ClientHttp2Session, { headers, body }: Http2Ask): Promise<Http2Answer> {
  const stream = session.request(headers, { endStream: body === undefined });
  if (body !== undefined) stream.end(body);
  return await answerOf(stream);
}

/** Waits for the end of a stream. @returns everything received on it @throws if it does not end in time */
export async function answerOf(stream: http2.ClientHttp2Stream): Promise<Http2Answer> {
  const received = listenForAnswer(stream);
  const closed = new Promise((resolve) => stream.once('close', resolve));
  await bounded(closed, () => `the end of a stream; received ${inspect(received(), { maxStringLength: 2_000 })}`);
  return received();
}

/** Listens to a stream from now on. @returns a function that tells what was received so far */
export function listenForAnswer(stream: http2.ClientHttp2Stream): () => Http2Answer {
  const informational: { status: number; fields: [string, string][] }[] = [];
  const chunks: Buffer[] = [];
  let status = 0;
  let fields: [string, string][] = [];
  let trailers: [string, string][] = [];
  let whole = false;
  type Heard = (headers: http2.IncomingHttpHeaders & { ':status'?: number }, flags: number, raw: string[]) => void;
  const hear = (event: string, listener: Heard): void => void stream.on(event, listener as never);
  hear('headers', (block, _flags, raw) => informational.push({ status: Number(block[':status']), fields: pairs(raw) }));
  hear('response', (block, _flags, raw) => {
    status = Number(block[':status']);
    fields = pairs(raw);
  });
  hear('trailers', (_block, _flags, raw) => (trailers = pairs(raw)));
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.on('end', () => (whole = true));
  stream.on('error', () => undefined);
  return () => {
    const reset = stream.rstCode ?? 0;
    return {
      status,
      fields,
      informational,
      body: Buffer.concat(chunks),
      trailers,
      reset,
      whole: whole && reset === 0 && status !== 0,
    };
  };
}
