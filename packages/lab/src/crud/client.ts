import http = require('node:http');

/** One answer with its times. */
export interface TimedAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  /** Milliseconds from the request until the whole answer was read. */
  readonly clientMs: number;
  /** Milliseconds inside the server, from the answer's field. */
  readonly serverMs: number;
}

export interface ClientRequest {
  readonly method: string;
  readonly path: string;
  /** JSON, as text. */
  readonly body?: string;
}

/** Time limit of an answer, in milliseconds: without its database a contestant never answers. */
const patience = 30_000;

/** A client of one contestant, over one keep-alive connection. */
export class Client {
  readonly #port: number;
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

  /** @param port on 127.0.0.1 */
  constructor(port: number) {
    this.#port = port;
  }

  /**
   * Sends a request and reads the whole answer.
   *
   * @throws {Error} if the connection fails, or the answer is not complete in time or has no timing
   */
  send({ method, path, body }: ClientRequest): Promise<TimedAnswer> {
    const headers: http.OutgoingHttpHeaders = { Accept: 'application/json' };
    if (body !== undefined) {
      headers['Content-Type'] = 'application/json';
      headers['Content-Length'] = Buffer.byteLength(body);
    }
    return new Promise((resolve, reject) => {
      const started = performance.now();
      const where = { host: '127.0.0.1', port: this.#port, agent: this.#agent };
      const outgoing = http.request({ ...where, method, path, headers, timeout: patience });
      outgoing.once('timeout', () => outgoing.destroy(new Error(`no answer within ${patience / 1000} s`)));
      outgoing.once('error', reject);
      outgoing.once('response', (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.once('error', reject);
        incoming.once('end', () => {
          const clientMs = performance.now() - started;
          const { statusCode: status = 0, headers: fields } = incoming;
          const serverMs = readServerTiming(fields['server-timing']);
          if (serverMs === undefined) return reject(new Error(`the answer to ${method} ${path} has no Server-Timing`));
          const type = fields['content-type'] ?? '';
          resolve({ status, type, body: Buffer.concat(chunks).toString(), clientMs, serverMs });
        });
      });
      outgoing.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** The milliseconds of `app` in a Server-Timing field; undefined if there are none. */
export function readServerTiming(field: string | string[] | undefined): number | undefined {
  const found = /(?:^|,)\s*app;dur=(\d+(?:\.\d+)?)/.exec(String(field ?? ''))?.[1];
  return found === undefined ? undefined : Number(found);
}
