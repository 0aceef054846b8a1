import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type http = require('node:http');
import type { CreateServer } from '../support/doors.js';

/** The counters of the server under load: requests, finished responses, responses that the client cut off. */
export interface Tally {
  requests: number;
  finished: number;
  cut: number;
}

export interface Service {
  readonly server: http.Server;
  readonly tally: Tally;
}

/**
 * A server whose answers prove which request they belong to: they hold the sent id and the hash of the received body.
 * `/echo/<id>` answers both; `/big/<id>` answers a body of 256 kB made of the id; `/slow/<id>` answers after two turns of the loop.
 */
export async function startService(createServer: CreateServer): Promise<Service> {
  const tally: Tally = { requests: 0, finished: 0, cut: 0 };
  const server = createServer({ keepAliveTimeout: 60_000 }, (req, res) => {
    tally.requests++;
    res.on('close', () => {
      if (res.writableFinished) tally.finished++;
      else tally.cut++;
    });
    const [, kind, id] = (req.url ?? '').split('/');
    res.setHeader('X-Id', id);
    if (kind === 'big') return res.end(bigBody(id));
    const hash = createHash('sha1');
    req.on('data', (part: Buffer) => hash.update(part));
    req.on('end', () => {
      const answer = (): unknown => res.end(hash.digest('hex'));
      if (kind === 'slow') setImmediate(() => setImmediate(answer));
      else answer();
    });
    return undefined;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, tally };
}

/** @returns 256 kB that are different for each id */
export function bigBody(id: string): string {
  return `${id}.`.padEnd(64, '_').repeat(4_096);
}

export function sha1(body: string | Buffer): string {
  return createHash('sha1').update(body).digest('hex');
}
