// A server in its own process. Arguments: a door; then `fd` (listens on descriptor 3), `sockets` (serves the sockets that it is sent) or
// `cluster rr|none` (two workers; the primary sends requests and prints the result).
import assert = require('node:assert/strict');
import { default as cluster } from 'node:cluster';
import { once } from 'node:events';
import http = require('node:http');
import type { AddressInfo, Socket } from 'node:net';
import { doors } from '../support/doors.js';

const [name, way, policy] = process.argv.slice(2);

function serve(): http.Server {
  const door = doors.find((each) => each.name === name);
  assert.ok(door, name);
  return door.createServer({}, (req, res) => {
    const parts: Buffer[] = [];
    req.on('data', (part: Buffer) => parts.push(part));
    req.on('end', () =>
      res.end(`${cluster.worker?.id ?? 0} ${req.method} ${req.url} ${Buffer.concat(parts).toString()}`),
    );
  });
}

function ask(port: number, agent: http.Agent | false, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const req = http.request({ host: '127.0.0.1', port, path, method: 'POST', agent }, (res) => {
      res.setEncoding('utf8');
      let text = '';
      res.on('data', (part: string) => (text += part));
      res.on('end', () => resolve(text));
    });
    req.on('error', reject);
    req.end('body');
  });
}

/** Sends twenty requests on new connections and five on one connection, which stays open while the workers disconnect. */
async function primary(): Promise<void> {
  cluster.schedulingPolicy = policy === 'rr' ? cluster.SCHED_RR : cluster.SCHED_NONE;
  const workers = [cluster.fork(), cluster.fork()];
  const [[first]] = await Promise.all(workers.map((worker) => once(worker, 'listening')));
  const { port } = first as AddressInfo;
  const single = await Promise.all(Array.from({ length: 20 }, (_, i) => ask(port, false, `/${i}`)));
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const kept: string[] = [];
  for (let i = 0; i < 5; i++) kept.push(await ask(port, agent, `/kept/${i}`));
  const codes = await Promise.all(
    workers.map(async (worker) => {
      const left = once(worker, 'exit');
      worker.disconnect();
      return (await left)[0] as number;
    }),
  );
  agent.destroy();
  console.log(JSON.stringify({ single, kept, codes }));
}

if (way === 'cluster' && cluster.isPrimary) void primary();
else if (way === 'cluster') serve().listen(0, '127.0.0.1');
else if (way === 'fd') serve().listen({ fd: 3 }, () => process.send?.('ready'));
else {
  const server = serve();
  process.on('message', (_message, socket) => server.emit('connection', socket as Socket));
  process.send?.('ready');
}
