import { once } from 'node:events';
import http = require('node:http');
import { setTimeout as wait } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import { verify } from '../measure.js';
import type { Peer } from '../peer.js';
import { loadScenario, type Scenario } from '../scenario.js';
import type { FigureBench } from './figures.js';
import { withPeers } from './memory.js';
import { takeInRounds } from './rounds.js';

/** Few enough that V8 has compiled little of the code, and enough that a difference of 10 ms is more than noise. */
const requests = 1000;

/** Requests at a time. */
const connections = 8;

/** Milliseconds in which a process ends its work after the first answers, such as that of V8's compiler threads. */
const settling = 100;

/**
 * Measures the CPU time of a process from its start until it has answered its first {@link requests} requests, which differ: the cost of a
 * cloud function that runs only briefly, and of each process after a deployment. Each process is used once.
 */
export async function firstRequests(bench: FigureBench): Promise<void> {
  const scenario = loadScenario('varied');
  const contestants = Object.keys(scenario.peers);
  bench.progress('comparing the answers');
  await withPeers(contestants, { scenario, bench }, (peers) => verify(scenario, peers));
  await takeInRounds(bench, { contestants, figure: 'first requests', unit: 'ms' }, (contestant) =>
    withPeers([contestant], { scenario, bench }, async (peers) => {
      const peer = peers.get(contestant) as Peer;
      await askAll(peer.port, scenario);
      await wait(settling, undefined, { signal: bench.signal });
      return (await peer.usage()).cpu / 1000;
    }),
  );
}

/** Sends the first requests over a few connections that stay. @throws {Error} if an answer is not 200 */
async function askAll(port: number, { request }: Scenario): Promise<void> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  let sent = 0;
  const client = async (): Promise<void> => {
    while (sent < requests) {
      const outgoing = http.get({ host: '127.0.0.1', port, agent, ...different(request, sent++) });
      const [answer] = (await once(outgoing, 'response')) as [http.IncomingMessage];
      await text(answer);
      if (answer.statusCode !== 200) throw new Error(`an answer has the status ${answer.statusCode}`);
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, client));
  } finally {
    agent.destroy();
  }
}

/** The request with an own path, user agent, cookie and id, as `wrk.lua` makes them. */
function different({ path, headers }: Scenario['request'], index: number): http.RequestOptions {
  const version = index % 97;
  return {
    path: path.replace(/\d+$/, String(index)),
    headers: {
      ...headers,
      'User-Agent': `Mozilla/5.0 (X11; Linux x86_64; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`,
      Cookie: `sid=${index}; theme=dark`,
      'X-Request-Id': `id-${index}`,
    },
  };
}
