import path = require('node:path');
import { runGenerator } from './generator-process.js';
import { fieldsOf, type Generator, type LoadPlan, type LoadResult } from './load.js';
import { parseReport } from './wrk.js';

const program = path.join(__dirname, 'tls-sessions-process.js');

/** The share of handshakes that must have resumed a session. The first ones cannot. */
const LEAST_RESUMED = 0.95;

/** What the process gets as its argument. */
export interface TlsSessionsPlan {
  readonly port: number;
  /** The request as it is sent. */
  readonly head: string;
  readonly connections: number;
  readonly seconds: number;
}

/**
 * A client of our own over node's TLS: each request has a connection and a handshake of its own that resumes the session of the one before, as a
 * browser's does. The other generators begin a new session each time.
 */
export const tlsSessions: Generator = {
  name: 'tls-sessions',
  version: process.version,
  run: runTlsSessions,
};

/** @throws {Error} if the plan has a body or keeps its connections, or if the server does not resume sessions */
async function runTlsSessions(plan: LoadPlan, signal?: AbortSignal): Promise<LoadResult> {
  const { request, shape = {}, port, connections, seconds, requests } = plan;
  if (!shape.secure || shape.keepAlive !== false || request.body !== undefined || requests !== undefined) {
    throw new Error('tls-sessions sends requests without a body over TLS, each on a connection of its own, for a time');
  }
  const fields = Object.entries({ Host: `127.0.0.1:${port}`, ...fieldsOf(plan) });
  const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `${request.method} ${request.path} HTTP/1.1\r\n${lines.join('')}\r\n`;
  const given: TlsSessionsPlan = { port, head, connections, seconds };
  const args = [program, JSON.stringify(given)];
  const { stdout, stderr } = await runGenerator({ command: process.execPath, args, plan, signal });
  const output = stdout + stderr;
  const result = parseReport('tls-sessions', output);
  const resumed = Number(/^resumed ([\d.]+)$/m.exec(output)?.[1]);
  if (result.requests > 20 * connections && !(resumed >= LEAST_RESUMED)) {
    throw new Error(`The server resumed ${(resumed * 100).toFixed(0)} % of the sessions only`);
  }
  return result;
}
