/**
 * Loaded into each contestant's process before its own code: answers the lab's question for what the process has used.
 * Asking the process itself works on every platform and counts in microseconds, /proc in ticks of 10 ms.
 */
// Every server loads node:cluster when it listens: it adds nothing to what is measured.
import cluster, { type Worker } from 'node:cluster';
import diagnostics = require('node:diagnostics_channel');
import v8 = require('node:v8');
import vm = require('node:vm');
import type { Session } from 'node:inspector';

process.on('message', (question) => {
  if (question !== 'usage' && question !== 'settled usage') return;
  if (question === 'settled usage') collect();
  void usageOfAll(question).then((usage) => {
    // Under a name of its own: an application may have messages for its parent, too (`process.send('ready')`).
    process.send?.({ lab: usage });
  });
});

/** What this process has used, with the processes of node:cluster below it, which have this agent too. */
async function usageOfAll(question: string): Promise<Usage> {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, external } = process.memoryUsage();
  const own: Usage = { cpu: user + system, system, rss, heap: heapUsed + external };
  const below = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  const theirs = await Promise.all(below.map((worker) => usageOf(worker, question)));
  return theirs.reduce(
    (sum, one) => ({
      cpu: sum.cpu + one.cpu,
      system: sum.system + one.system,
      rss: sum.rss + one.rss,
      heap: sum.heap + one.heap,
    }),
    own,
  );
}

function usageOf(worker: Worker, question: string): Promise<Usage> {
  return new Promise((resolve) => {
    const onMessage = (message: { readonly lab?: Usage } | null): void => {
      if (message?.lab === undefined) return;
      worker.off('message', onMessage);
      resolve(message.lab);
    };
    worker.on('message', onMessage);
    worker.send(question);
  });
}

/** Who has served requests of this process. */
export interface Served {
  engine: number;
  others: number;
}

const STARTED = 'http.server.request.start';
let served: Served = { engine: 0, others: 0 };

// node and the engine publish here before any handler is called; the engine's requests carry a symbol of its own.
function count(message: unknown): void {
  const { request } = message as { request: object };
  const marked = Object.getOwnPropertySymbols(request).some(({ description }) => description === 'nonstop.connection');
  served[marked ? 'engine' : 'others']++;
}

// Requests are counted between the two questions alone: nothing listens while anything is timed.
process.on('message', (question) => {
  if (question === 'count requests') {
    served = { engine: 0, others: 0 };
    diagnostics.subscribe(STARTED, count);
    // A request on a socket could be faster than a question.
    process.send?.({ labCounts: true });
  } else if (question === 'requests counted') {
    diagnostics.unsubscribe(STARTED, count);
    process.send?.({ labServed: served });
  }
});

interface Profile {
  readonly nodes: readonly {
    readonly callFrame: { readonly functionName: string; readonly url: string };
    readonly hitCount?: number;
  }[];
}

let profiler: Session | undefined;

// The inspector is loaded when somebody asks, behind everything that is timed.
process.on('message', (question) => {
  if (question === 'profile') void startProfile();
  else if (question === 'profiled') endProfile();
});

async function startProfile(): Promise<void> {
  const { Session: NewSession } = await import('node:inspector');
  profiler = new NewSession();
  profiler.connect();
  profiler.post('Profiler.enable');
  profiler.post('Profiler.setSamplingInterval', { interval: 1000 });
  profiler.post('Profiler.start', () => process.send?.({ labProfiles: true }));
}

function endProfile(): void {
  profiler?.post('Profiler.stop', (error, result) => {
    const { nodes } = error === null ? (result as { profile: Profile }).profile : { nodes: [] };
    profiler?.disconnect();
    profiler = undefined;
    process.send?.({ labProfile: hitsOf(nodes), labShares: sharesOf(nodes) });
  });
}

/** Samples by the URL of the script that ran; node's own code, C++ and collections have an empty one. */
function hitsOf(nodes: Profile['nodes']): Record<string, number> {
  const hits: Record<string, number> = {};
  for (const { callFrame, hitCount = 0 } of nodes) {
    const { functionName, url } = callFrame;
    if (functionName === '(idle)' || functionName === '(root)') continue;
    const where = url.startsWith('node:') ? '' : url;
    hits[where] = (hits[where] ?? 0) + hitCount;
  }
  return hits;
}

/** Shares of the time in which a process was at work. */
export interface Shares {
  /** Of scripts that are not node's, by URL. */
  readonly scripts: Readonly<Record<string, number>>;
  readonly nodeJs: number;
  readonly collections: number;
}

function sharesOf(nodes: Profile['nodes']): Shares {
  const hits = hitsOf(nodes);
  const all = Object.values(hits).reduce((sum, some) => sum + some, 0) || 1;
  const shareOf = (is: (callFrame: Profile['nodes'][number]['callFrame']) => boolean): number =>
    nodes.reduce((sum, { callFrame, hitCount = 0 }) => sum + (is(callFrame) ? hitCount : 0), 0) / all;
  const scripts = Object.entries(hits).filter(([url]) => url !== '');
  return {
    scripts: Object.fromEntries(scripts.map(([url, some]) => [url, some / all])),
    nodeJs: shareOf(({ url }) => url.startsWith('node:')),
    collections: shareOf(({ functionName }) => functionName === '(garbage collector)'),
  };
}

// A listener for messages keeps a process alive: one that has nothing to serve should end and say so. A process of a cluster
// waits for messages before it has something to serve.
if (cluster.isPrimary) process.channel?.unref();

// The lab is gone, by Ctrl-C or worse: a server without its lab would stay for ever.
process.on('disconnect', () => process.exit());

/** What a collection can still free is nobody's cost; twice, since finalizers free more. */
function collect(): void {
  v8.setFlagsFromString('--expose-gc');
  // In a context of its own: an application does not see a `gc` that it has not asked for.
  const gc = globalThis.gc ?? (vm.runInNewContext('gc') as () => void);
  for (let pass = 0; pass < 2; pass++) gc();
}

export interface Usage {
  /** User and system time of the whole process since its start, in microseconds. */
  readonly cpu: number;
  /** What of it was the system's. */
  readonly system: number;
  /** Resident memory, in bytes. */
  readonly rss: number;
  /** Objects and buffers, in bytes. */
  readonly heap: number;
}
