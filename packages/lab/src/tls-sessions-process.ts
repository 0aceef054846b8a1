// The process of tls-sessions: loads a server as its argument says and prints a report, times in microseconds, and which
// share of the handshakes resumed a session.
import tls = require('node:tls');
import { performance } from 'node:perf_hooks';
import type { TlsSessionsPlan } from './tls-sessions.js';

const { port, head, connections, seconds } = JSON.parse(process.argv[2]) as TlsSessionsPlan;

const counts = { connect: 0, read: 0, write: 0, status: 0, timeout: 0 };
const times: number[] = [];
let handshakes = 0;
let resumed = 0;

/** Milliseconds that a server may need for one answer. */
const PATIENCE = 10_000;

/** One request, with the session of the last one. @returns the session to resume next */
function ask(session: Buffer | undefined): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const began = performance.now();
    let next = session;
    let answer = '';
    let failed: keyof typeof counts | undefined;
    const socket = tls.connect({ host: '127.0.0.1', port, session, rejectUnauthorized: false });
    socket.setNoDelay(true);
    socket.setTimeout(PATIENCE, () => {
      failed = 'timeout';
      socket.destroy();
    });
    socket.on('session', (ticket) => (next = ticket));
    socket.on('secureConnect', () => {
      handshakes++;
      if (socket.isSessionReused()) resumed++;
      socket.write(head);
    });
    socket.setEncoding('latin1').on('data', (text: string) => (answer += text));
    socket.on('error', () => (failed ??= answer === '' ? 'connect' : 'read'));
    socket.on('close', () => {
      if (failed === undefined && !/^HTTP\/1\.1 2\d\d /.test(answer)) failed = answer === '' ? 'read' : 'status';
      if (failed === undefined) times.push((performance.now() - began) * 1000);
      else counts[failed]++;
      resolve(next);
    });
  });
}

async function client(until: number): Promise<void> {
  let session: Buffer | undefined;
  while (performance.now() < until) session = await ask(session);
}

async function load(): Promise<void> {
  const began = performance.now();
  const until = began + seconds * 1000;
  await Promise.all(Array.from({ length: connections }, () => client(until)));
  const sorted = Float64Array.from(times).sort();
  const percentile = (share: number): number => Math.round(sorted[Math.floor(share * sorted.length)] ?? 0);
  const report = {
    requests: times.length,
    microseconds: Math.round((performance.now() - began) * 1000),
    p50: percentile(0.5),
    p99: percentile(0.99),
    ...counts,
  };
  console.log(`lab ${JSON.stringify(report)}\nresumed ${handshakes === 0 ? 0 : resumed / handshakes}`);
}

void load();
