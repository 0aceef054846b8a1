/**
 * Loaded into each contestant's process before its own code: reports the resource usage to the lab. The process's own
 * figures exist on every platform and are in microseconds; /proc has ticks of 10 ms.
 */
// Every server loads node:cluster when it listens, so this import does not change the measurement.
import cluster, { type Worker } from 'node:cluster';
import diagnostics = require('node:diagnostics_channel');
import { EventEmitter } from 'node:events';
import v8 = require('node:v8');
import vm = require('node:vm');
import type { Session } from 'node:inspector';

process.on('message', (question) => {
  if (question !== 'usage' && question !== 'usage after collection') return;
  if (question === 'usage after collection') collect();
  void usageOfAll(question).then((usage) => {
    // A name of the lab's own, because an application may send messages to its parent too (`process.send('ready')`).
    process.send?.({ lab: usage });
  });
});

/** The usage of this process and of its node:cluster workers, which have this agent too. */
async function usageOfAll(question: string): Promise<Usage> {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, external } = process.memoryUsage();
  const own: Usage = { cpu: user + system, system, rss, heap: heapUsed + external };
  const theirs = await ofWorkers<Usage>(question, 'lab');
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

/** What each node:cluster worker answers to a question, in the member `name` of its message. */
function ofWorkers<V>(question: string, name: string): Promise<V[]> {
  const below = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  return Promise.all(below.map((worker) => answerOf<V>(worker, question, name)));
}

function answerOf<V>(worker: Worker, question: string, name: string): Promise<V> {
  return new Promise((resolve) => {
    const onMessage = (message: Readonly<Record<string, V>> | null): void => {
      const answer = message?.[name];
      if (answer === undefined) return;
      worker.off('message', onMessage);
      resolve(answer);
    };
    worker.on('message', onMessage);
    worker.send(question);
  });
}

/** The number of requests of this process and its node:cluster workers by server: the engine or node:http. */
export interface Served {
  engine: number;
  others: number;
}

const STARTED = 'http.server.request.start';
let served: Served = { engine: 0, others: 0 };

/** Requests of the engine have one of these symbols. */
const MARKS = ['nonstop.connection', 'nonstop.stream'];

// node and the engine publish here before any handler is called.
function count(message: unknown): void {
  const { request } = message as { request: object };
  const marked = Object.getOwnPropertySymbols(request).some(({ description = '' }) => MARKS.includes(description));
  served[marked ? 'engine' : 'others']++;
}

const { emit } = EventEmitter.prototype;

/** Not every Node publishes requests of HTTP/2. They are counted when their server emits them. */
function emitCounted(this: EventEmitter, event: string | symbol, ...values: unknown[]): boolean {
  const [request] = values as [{ httpVersionMajor?: number } | undefined];
  if (event === 'request' && request?.httpVersionMajor === 2) count({ request });
  return emit.call(this, event, ...values);
}

// Requests are counted only between the two messages: there is no subscriber during a timed load.
process.on('message', (question) => {
  if (question === 'count requests') {
    served = { engine: 0, others: 0 };
    diagnostics.subscribe(STARTED, count);
    EventEmitter.prototype.emit = emitCounted;
    // A request on a socket could arrive before the message.
    void ofWorkers<true>(question, 'labCounts').then(() => process.send?.({ labCounts: true }));
  } else if (question === 'requests counted') {
    diagnostics.unsubscribe(STARTED, count);
    EventEmitter.prototype.emit = emit;
    void ofWorkers<Served>(question, 'labServed').then((theirs) => {
      const all = [served, ...theirs];
      const sum = (by: keyof Served): number => all.reduce((total, one) => total + one[by], 0);
      process.send?.({ labServed: { engine: sum('engine'), others: sum('others') } });
    });
  }
});

interface Profile {
  readonly nodes: readonly {
    readonly callFrame: { readonly functionName: string; readonly url: string };
    readonly hitCount?: number;
  }[];
}

let profiler: Session | undefined;

// The inspector is loaded on demand, after all timed loads.
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

/** Shares of the time in which the process was busy. */
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

// A listener for messages keeps a process alive; unref it, so that a process without a server ends. A cluster worker
// waits for messages before it has a server.
if (cluster.isPrimary) process.channel?.unref();

// The lab has ended, for example by Ctrl-C: without this the server would run for ever.
process.on('disconnect', () => process.exit());

/** Memory that a collection can free is not counted. Twice, because finalizers free more. */
function collect(): void {
  v8.setFlagsFromString('--expose-gc');
  // In a separate context, so that the application does not see a global `gc`.
  const gc = globalThis.gc ?? (vm.runInNewContext('gc') as () => void);
  for (let pass = 0; pass < 2; pass++) gc();
}

export interface Usage {
  /** User and system time of the whole process since its start, in microseconds. */
  readonly cpu: number;
  /** The system's part of it. */
  readonly system: number;
  /** Resident memory, in bytes. */
  readonly rss: number;
  /** Objects and buffers, in bytes. */
  readonly heap: number;
}

const MEGABYTE = 2 ** 20;

/**
 * Objects that stay, as in a larger application. Once more than 8 MB have survived, V8 starts full collections for further reasons, so a
 * small server has fewer of them than a real one.
 */
function objectsOf(megabytes: number): unknown[] {
  const most = process.memoryUsage().heapUsed + megabytes * MEGABYTE;
  const objects: unknown[] = [];
  while (process.memoryUsage().heapUsed < most) {
    for (let i = 0; i < 1000; i++) objects.push({ id: objects.length, name: `object ${objects.length}`, list: [i] });
  }
  return objects;
}

// On the process, so that it is never collected.
if (Number(process.env['LAB_LIVE_HEAP']) > 0) {
  Object.defineProperty(process, Symbol('lab.liveHeap'), { value: objectsOf(Number(process.env['LAB_LIVE_HEAP'])) });
}
