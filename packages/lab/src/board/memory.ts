import { takeSample, verify } from '../measure.js';
import { Peer } from '../peer.js';
import { loadScenario, type Scenario } from '../scenario.js';
import { rotated } from '../stats.js';
import type { FigureBench } from './figures.js';

const contestants = ['node:http', 'Express 5', 'Nonstop'];

/** Seconds of load: V8 enlarges the heap by the number of requests, so that a short load favours a slow server. */
const longEnough = 10;

/**
 * Measures resident memory right after a load of ten seconds or more. Each process is used once: the memory that V8's
 * compiler threads keep differs by 2 to 3 MB from process to process.
 */
export async function loadedMemory(bench: FigureBench): Promise<void> {
  const { row, node, signal, settings } = bench;
  const scenario = loadScenario(row.replace(/^memory-/, ''));
  const seconds = settings.quick ? settings.seconds : Math.max(longEnough, settings.seconds);
  bench.progress('comparing the answers');
  await withPeers(contestants, { scenario, bench }, (peers) => verify(scenario, peers));
  for (let round = 0; round < settings.rounds; round++) {
    for (const contestant of rotated(contestants, round)) {
      signal.throwIfAborted();
      bench.progress(`${contestant}, round ${round + 1} of ${settings.rounds}`);
      await withPeers([contestant], { scenario, bench }, async (peers) => {
        const { rss } = await takeSample(peers.get(contestant) as Peer, scenario, { seconds }, bench);
        const value = rss / 2 ** 20;
        bench.onFigure({ row, contestant, node: node.version, figure: 'loaded memory', unit: 'MB', round, value });
      });
    }
  }
}

/** Starts the servers of contestants, works with them and stops them. */
export async function withPeers(
  names: readonly string[],
  { scenario, bench }: { readonly scenario: Scenario; readonly bench: FigureBench },
  work: (peers: ReadonlyMap<string, Peer>) => Promise<void>,
): Promise<void> {
  const { cores, node, signal } = bench;
  const options = { node: node.path, scenario: scenario.name, core: cores.server, signal };
  const peers = new Map<string, Peer>();
  try {
    for (const name of names) peers.set(name, await Peer.start(scenario.peers[name], options));
    await work(peers);
  } finally {
    await Promise.all([...peers.values()].map((peer) => peer.stop()));
  }
}
