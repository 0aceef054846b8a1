import fs = require('node:fs');
import { findCores } from '../cores.js';
import { mustTakeRecords } from '../record.js';
import type { ScenarioRequest } from '../scenario.js';
import { summarise } from '../summary.js';
import { chooseGenerator, compareApp, type AppOptions, type AppRecord } from './app.js';
import { chooseRoutes, readHar, type Chosen, type Weighted } from './choose-requests.js';
import { asItIs, findEntry, startOf, type Start } from './entry.js';
import { pairOf, together, type Pair } from './verdict.js';

export interface VisitOptions extends Omit<AppOptions, 'file' | 'given' | 'request'> {
  /** Path of the application's file, or of its folder. Default: the working directory. */
  readonly file?: string;
  /** The requests. Default: the application's own routes. */
  readonly request?: ScenarioRequest;
  /** Path of a browser's recording with the requests. */
  readonly har?: string;
}

/**
 * Measures a user's application on Express and on Nonstop: each request by itself, then all together.
 *
 * @returns a record for each request
 * @throws {Error} in one line, if nothing can be measured
 */
export async function compareVisit(options: VisitOptions): Promise<AppRecord[]> {
  const { print, signal, har } = options;
  mustTakeRecords(options.results);
  // Thrown here for a generator that is missing, before the application is started to find its routes.
  chooseGenerator(options);
  const { file, ...given } = startOfNamed(options.file ?? process.cwd());
  const { requests, notes } = await chosen({ file, ...given }, options);
  for (const note of notes) print(note);
  if (options.request === undefined && har === undefined)
    print(
      `Measured: ${requests.map(({ request }) => `${request.method} ${request.path}`).join(', ')} (--path chooses another).`,
    );
  print(durationOf(requests.length, options));
  const records: AppRecord[] = [];
  for (const { request } of requests) {
    records.push(await compareApp({ ...options, file, given, request }));
    if (signal.aborted) break;
  }
  if (records.length > 1) print(`\n${sumOf(records, requests)}`);
  return records;
}

/** What starts the application that is named by its file or its folder. */
const startOfNamed = (name: string): Start =>
  fs.statSync(name, { throwIfNoEntry: false })?.isDirectory() === true ? startOf(name) : { ...asItIs, file: name };

/** For a process to start and to stop, and for a warm-up to end, in seconds. */
const AROUND_A_PROCESS = 2;

/**
 * How long a measurement takes, in one line. The last process of a contestant is loaded twice more, for its memory and its profile.
 *
 * @param requests their number
 */
export function durationOf(
  requests: number,
  {
    rounds,
    seconds,
    warmup,
    streams,
    quick,
  }: Pick<VisitOptions, 'rounds' | 'seconds' | 'warmup' | 'streams' | 'quick'>,
): string {
  const contestants = streams === undefined ? 2 : 3;
  // The last contestant of a round is the first of the next one, in the same process.
  const processes = rounds * (contestants - 1) + 1;
  const each = processes * (warmup + AROUND_A_PROCESS) + contestants * (rounds * seconds + 2 * warmup);
  const all = requests * each;
  const time = all < 90 ? `${Math.ceil(all)} s` : `${Math.round(all / 60)} minutes`;
  const what = `${requests} ${requests === 1 ? 'request' : 'requests'}, ${contestants} contestants, ${rounds} ${rounds === 1 ? 'round' : 'rounds'} of ${seconds} s`;
  const shorter = [requests > 1 && '--path measures one', quick !== true && '--quick takes seconds'].filter(Boolean);
  return `This takes about ${time}, longer on a busy machine: ${what}${shorter.length > 0 ? ` (${shorter.join(', ')})` : ''}.`;
}

async function chosen(
  { file, ...given }: Start,
  { request, har, node, signal, progress, streams }: VisitOptions,
): Promise<Chosen> {
  if (request !== undefined) return { requests: [{ request, times: 1 }], notes: [] };
  if (har !== undefined) return readHar(har);
  const entry = findEntry(file, node.version, { http2: streams !== undefined, given });
  const options = { node: node.path, scenario: 'app', core: findCores().server, signal };
  return chooseRoutes(entry, { ...options, progress: (step) => progress(file, step) });
}

/** The cost of all requests together, weighted by how often each occurs; or why there is none. */
function sumOf(records: readonly AppRecord[], requests: readonly Weighted[]): string {
  const pairs: (Pair & { readonly times: number })[] = [];
  for (const [place, { samples, failures, settings, ended, request }] of records.entries()) {
    const pair = pairOf(summarise(samples), { failures, quick: settings.quick, ended });
    if (typeof pair === 'string') return `No sum of all requests: ${request.method} ${request.path}: ${pair}.`;
    pairs.push({ ...pair, times: requests[place].times });
  }
  return together(pairs);
}
