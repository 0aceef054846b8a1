import { once } from 'node:events';
import http2 = require('node:http2');
import type { Answer } from './ask.js';
import type { ScenarioRequest } from './scenario.js';
import { textOf } from './text-of.js';

/**
 * Sends one request in a new session of HTTP/2, over TLS (with any certificate) or in clear text by prior knowledge, and reads the whole
 * answer.
 *
 * @param port on 127.0.0.1
 * @throws {Error} when the session or the stream fails, or no answer is complete within `patience` milliseconds
 */
export async function askOverHttp2(
  port: number,
  request: ScenarioRequest,
  { secure = false, patience }: { readonly secure?: boolean; readonly patience: number },
): Promise<Answer> {
  const signal = AbortSignal.timeout(patience);
  const session = http2.connect(`http${secure ? 's' : ''}://127.0.0.1:${port}`, { rejectUnauthorized: false });
  try {
    const failed = once(session, 'error', { signal }).then(([error]) => Promise.reject(error as Error));
    return await Promise.race([failed, answerTo(session, request, signal)]);
  } catch (error) {
    if (signal.aborted) throw new Error(`no complete answer within ${patience / 1000} s`, { cause: error });
    throw error;
  } finally {
    session.destroy();
  }
}

async function answerTo(
  session: http2.ClientHttp2Session,
  { method, path, headers, body }: ScenarioRequest,
  signal: AbortSignal,
): Promise<Answer> {
  const stream = session.request({ ...headers, ':method': method, ':path': path }, { endStream: body === undefined });
  const answered = once(stream, 'response', { signal });
  if (body !== undefined) stream.end(body);
  const [fields] = (await answered) as [http2.IncomingHttpHeaders];
  const chunks = (await stream.toArray({ signal })) as Buffer[];
  if (stream.rstCode !== 0) throw new Error(`the stream was reset with ${stream.rstCode}`);
  return {
    status: Number(fields[':status']),
    reason: '',
    fields: Object.entries(fields).flatMap(([name, value]) =>
      name[0] === ':' ? [] : [value ?? []].flat().map((one) => [name, one] as const),
    ),
    body: textOf(Buffer.concat(chunks)),
  };
}
