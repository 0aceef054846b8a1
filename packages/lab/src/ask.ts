import http = require('node:http');
import https = require('node:https');
import { askOverHttp2 } from './ask-http2.js';
import type { LoadShape, ScenarioRequest } from './scenario.js';
import { textOf } from './text-of.js';

export interface Answer {
  readonly status: number;
  /** Empty over HTTP/2, which has none. */
  readonly reason: string;
  /** In their order on the wire. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** As `textOf` writes it. */
  readonly body: string;
}

/** Time limit of a single answer, in milliseconds. */
export const usualPatience = 10_000;

/**
 * Sends one request on a new connection and reads the whole answer.
 *
 * @param port on 127.0.0.1
 * @param shape whether to use HTTP/2, TLS (with any certificate) and keep-alive
 * @param patience in milliseconds; default: ten seconds
 * @throws {Error} when the connection fails or no answer is complete within `patience`
 */
export async function ask(
  port: number,
  request: ScenarioRequest,
  shape: LoadShape = {},
  patience = usualPatience,
): Promise<Answer> {
  if (shape.streams !== undefined) return askOverHttp2(port, request, { secure: shape.secure, patience });
  // A keep-alive agent sends the same fields as the load generator; without it node sends `Connection: close`.
  const keepAlive = shape.keepAlive !== false;
  const agent = shape.secure
    ? new https.Agent({ keepAlive, rejectUnauthorized: false })
    : new http.Agent({ keepAlive });
  const { request: open } = shape.secure ? https : http;
  try {
    return await new Promise<Answer>((resolve, reject) => {
      const { method, path, body } = request;
      const headers: Record<string, string | number> = { ...request.headers };
      if (body !== undefined) headers['Content-Length'] = Buffer.byteLength(body);
      const signal = AbortSignal.timeout(patience);
      const outgoing = open({ host: '127.0.0.1', port, agent, method, path, headers, signal });
      const late = (): void => reject(new Error(`no complete answer within ${patience / 1000} s`));
      outgoing.once('error', (error) => (signal.aborted ? late() : reject(error)));
      outgoing.once('response', (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.once('error', (error) => (signal.aborted ? late() : reject(error)));
        incoming.once('end', () => {
          const fields = pairs(incoming.rawHeaders);
          const { statusCode = 0, statusMessage = '' } = incoming;
          resolve({ status: statusCode, reason: statusMessage, fields, body: textOf(Buffer.concat(chunks)) });
        });
      });
      outgoing.end(body);
    });
  } finally {
    agent.destroy();
  }
}

function pairs(flat: readonly string[]): [string, string][] {
  return Array.from({ length: flat.length / 2 }, (_, index) => [flat[2 * index], flat[2 * index + 1]]);
}
