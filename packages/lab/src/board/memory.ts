import { takeSample, verify } from '../measure.js';
import { Peer } from '../peer.js';
import { loadScenario, type Scenario } from '../scenario.js';
import type { FigureBench } from './figures.js';
import { takeInRounds } from './rounds.js';

const contestants = ['node:http', 'Express 5', 'Nonstop'];

/** Seconds of load: V8 enlarges the heap by the number of requests, so that a short load favours a slow server. */
const longEnough = 10;

/**
 * Measures resident memory right after a load of ten seconds or more. Each process is used once: the memory that V8's
 * compiler threads keep differs by 2 to 3 MB from process to process.
 */
export async function loadedMemory(bench: FigureBench): Promise<void> {
  const { row, settings } = bench;
  const scenario = loadScenario(row.replace(/^memory-/, ''));
  const seconds = settings.quick ? settings.seconds : Math.max(longEnough, settings.seconds);
  bench.progress('comparing the answers');
  await withPeers(contestants, { scenario, bench }, (peers) => verify(scenario, peers));
  await takeInRounds(bench, { contestants, figure: 'loaded memory', unit: 'MB' }, (contestant) =>
    withPeers([contestant], { scenario, bench }, async (peers) => {
      const { rss } = await takeSample(peers.get(contestant) as Peer, scenario, { seconds }, bench);
      return rss / 2 ** 20;
    }),
  );
}

/** Starts the servers of contestants, works with them and stops them. @returns the result of `work` */
export async function withPeers<Result>(
  names: readonly string[],
  { scenario, bench }: { readonly scenario: Scenario; readonly bench: FigureBench },
  work: (peers: ReadonlyMap<string, Peer>) => Promise<Result>,
): Promise<Result> {
  const { cores, node, signal } = bench;
  const options = { node: node.path, scenario: scenario.name, core: cores.server, signal };
  const peers = new Map<string, Peer>();
  try {
    for (const name of names) peers.set(name, await Peer.start(scenario.peers[name], options));
    return await work(peers);
  } finally {
    await Promise.all([...peers.values()].map((peer) => peer.stop()));
  }
}
