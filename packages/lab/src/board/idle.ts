import { once } from 'node:events';
import fs = require('node:fs');
import net = require('node:net');
import { setTimeout as wait } from 'node:timers/promises';
import { ask } from '../ask.js';
import { verify } from '../measure.js';
import { Peer } from '../peer.js';
import { loadScenario, type Scenario } from '../scenario.js';
import type { FigureBench } from './figures.js';
import { takeInRounds } from './rounds.js';

/** Connections to open at a time; more would only wait in the server's backlog. */
const batch = 100;

/** File descriptors that the lab and the server need otherwise. */
const spare = 100;

/** Milliseconds after which a server has loaded all that it loads in the background. */
const settling = 4000;

/** The connections whose memory is measured. */
interface Held {
  readonly scenario: string;
  readonly figure: 'idle memory' | 'waiting memory';
  /** Opens a connection. */
  readonly open: (port: number) => Promise<net.Socket>;
  /** Resolves when this number of connections is in the state to be measured. */
  readonly reached?: (port: number, count: number) => Promise<void>;
}

/** Measures the memory of an idle connection that has had an answer. */
export const idleMemory = (bench: FigureBench): Promise<void> =>
  memoryOf({ scenario: 'hello', figure: 'idle memory', open: answered }, bench);

/** Measures the memory of a connection with a request whose handler waits. */
export const waitingMemory = (bench: FigureBench): Promise<void> =>
  memoryOf({ scenario: 'waiting', figure: 'waiting memory', open: asked, reached: areWaiting }, bench);

/**
 * Measures the memory of a connection: resident memory after garbage collection with 2n connections, minus that with n, divided by n. Each
 * process is used once, because it does not return memory to the system.
 */
async function memoryOf(held: Held, bench: FigureBench): Promise<void> {
  const source = loadScenario(held.scenario);
  const count = Math.min(bench.idle, Math.floor((openFiles() - spare) / 2));
  if (count < bench.idle) {
    bench.onNote(`The limit of open files allows twice ${count} connections, not twice ${bench.idle} (ulimit -n).`);
  }
  // The usual five seconds would close the first connections before the last is open.
  const patient = { KEEP_ALIVE_TIMEOUT: '600000' };
  const contestants = ['node:http', 'Express 5', 'Nonstop'];
  const peers = Object.fromEntries(
    contestants.map((name) => {
      const peer = source.peers[name];
      return [name, { ...peer, nodeOptions: ['--expose-gc'], env: { ...peer.env, ...patient } }];
    }),
  );
  // Express's answer is the expected one: a field has the timeout.
  const scenario: Scenario = { ...source, expected: undefined, peers };
  await takeInRounds(bench, { contestants, figure: held.figure, unit: 'bytes' }, (contestant, round) =>
    take(contestant, { held, scenario, count, verified: round > 0 }, bench),
  );
}

interface Taking {
  readonly held: Held;
  readonly scenario: Scenario;
  readonly count: number;
  readonly verified: boolean;
}

async function take(
  contestant: string,
  { held, scenario, count, verified }: Taking,
  bench: FigureBench,
): Promise<number> {
  const { cores, node } = bench;
  const options = { node: node.path, scenario: scenario.name, core: cores.server };
  const peer = await Peer.start(scenario.peers[contestant], options);
  const sockets: net.Socket[] = [];
  try {
    if (!verified) await verifyBeside(contestant, peer, { scenario, options });
    // The first connections cause the one-time growth of a process, such as the 20 MB of V8's young generation: they stay open and are not counted.
    await open(count, peer.port, { held, sockets, signal: bench.signal });
    await wait(settling, undefined, { signal: bench.signal });
    const { rss: before } = await peer.usage(true);
    await open(2 * count, peer.port, { held, sockets, signal: bench.signal });
    const { rss: after } = await peer.usage(true);
    const lost = sockets.filter(({ readyState }) => readyState !== 'open').length;
    if (lost > 0) throw new Error(`${scenario.name}: ${contestant} closed ${lost} of ${2 * count} connections`);
    return (after - before) / count;
  } finally {
    for (const socket of sockets) socket.destroy();
    await peer.stop();
  }
}

/** Compares a contestant's answer with that of an Express that is started only for this. */
async function verifyBeside(
  contestant: string,
  peer: Peer,
  { scenario, options }: { scenario: Scenario; options: Parameters<typeof Peer.start>[1] },
): Promise<void> {
  const oracle = await Peer.start(scenario.peers['Express 5'], options);
  try {
    await verify(
      scenario,
      new Map([
        ['Express 5', oracle],
        [contestant, peer],
      ]),
    );
  } finally {
    await oracle.stop();
  }
}

/** Opens connections until there are `count`. */
async function open(
  count: number,
  port: number,
  { held, sockets, signal }: { held: Held; sockets: net.Socket[]; signal: AbortSignal },
): Promise<void> {
  while (sockets.length < count) {
    signal.throwIfAborted();
    const next = Math.min(batch, count - sockets.length);
    sockets.push(...(await Promise.all(Array.from({ length: next }, () => held.open(port)))));
    await held.reached?.(port, sockets.length);
  }
}

/** Opens a connection and sends a request with the fields of a browser. */
async function asked(port: number): Promise<net.Socket> {
  const socket = net.connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const fields = Object.entries(loadScenario('varied').request.headers ?? {});
  const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.write(`GET /items/7 HTTP/1.1\r\nHost: 127.0.0.1\r\n${lines}\r\n`);
  socket.on('error', () => socket.destroy());
  return socket;
}

/** Asks until the handlers of this number of requests wait. */
async function areWaiting(port: number, count: number): Promise<void> {
  for (;;) {
    const { body } = await ask(port, loadScenario('waiting').request);
    const { waiting } = JSON.parse(body) as { waiting: number };
    if (waiting >= count) return;
  }
}

/** Opens a connection and reads one answer. */
async function answered(port: number): Promise<net.Socket> {
  const socket = net.connect(port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
  let answer = '';
  socket.setEncoding('latin1');
  while (!answer.endsWith('Hello World!')) {
    const [chunk] = (await once(socket, 'data')) as [string];
    answer += chunk;
  }
  socket.on('error', () => socket.destroy());
  return socket;
}

/** The limit of open files of this process; node raises the soft limit to the hard one at start. */
function openFiles(): number {
  try {
    const limits = fs.readFileSync('/proc/self/limits', 'utf8');
    const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
    return soft === undefined ? Infinity : Number(soft);
  } catch {
    return Infinity;
  }
}
