import type { Served } from '../agent.js';
import { findCores } from '../cores.js';
import { preferred, required, type Choice } from '../generators.js';
import type { Generator } from '../load.js';
import type { Bench, Failure, Settings } from '../measure.js';
import { colophon, newRecord, recorded, saveLast, type BenchRecord, type RunOptions } from '../record.js';
import type { LoadShape, Scenario, ScenarioRequest } from '../scenario.js';
import { limitLine, summarise } from '../summary.js';
import { table } from '../table.js';
import { isDate } from '../verify.js';
import { asItIs, findEntry, type Entry, type StartOptions } from './entry.js';
import { gist, sameAnswer, type Likeness } from './same-answer.js';
import { atLoad } from './load-of-user.js';
import { sharesLine, sharesOf, withDependencies } from './shares.js';
import { takeTurns, type Retained } from './turns.js';
import { differ, growth, pairOf, verdict } from './verdict.js';

export interface AppOptions extends Settings, RunOptions {
  /** Path of the application's file, from the working directory. */
  readonly file: string;
  /** What its `npm start` gives it. */
  readonly given?: StartOptions['given'];
  readonly request: ScenarioRequest;
  readonly node: Bench['node'];
  /** Default: `wrk` if it is installed, otherwise `autocannon`. */
  readonly generator?: Generator;
  /** The user's own load in requests per second, to which the figures are scaled. */
  readonly perSecond?: number;
  /**
   * Over HTTP/2 with this number of streams at once on each connection: Nonstop over HTTP/2 and over HTTP/1.1, Express over HTTP/1.1, all over
   * TLS and with as many requests at once.
   */
  readonly streams?: number;
}

export interface AppRecord extends BenchRecord {
  readonly file: string;
  readonly request: ScenarioRequest;
  verdict: string;
}

const ALIKE =
  'All requests are equal, so what a server remembers of the last one helps; with requests that differ the gain can be smaller.';

/** Package names of the framework. */
const FRAMEWORKS = ['express', 'nonstop'];

/**
 * Runs a user's application, unchanged, on Express and on Nonstop: compares the answers, then measures both and prints
 * the gain.
 *
 * @returns the record
 * @throws {Error} before anything is written: the file, its Express or an answer is missing, or the answers differ
 */
export async function compareApp(options: AppOptions): Promise<AppRecord> {
  const { file, given, request, node, signal, print } = options;
  const over2 = shapeOver2(options);
  const entry = findEntry(file, node.version, { http2: over2 !== undefined, given });
  const choice = chooseGenerator(options);
  const cores = findCores();
  options.progress(`${file}, Express ${entry.express} and Nonstop`, 'comparing the answers');
  const start = { node: node.path, scenario: 'app', core: cores.server, signal };
  const likeness = await sameAnswer(entry, request, start, over2);
  signal.throwIfAborted();
  const what = `${request.method} ${request.path}`;
  if (likeness.differences.length > 0) {
    const lines = [`The answers to ${what} differ; nothing was measured.`, ...likeness.differences];
    lines.push(...dialect(entry.express));
    throw new Error(lines.join('\n'));
  }
  const { status } = likeness.expected;
  const { varying, doubt } = likeness;
  if (status < 200 || status > 299) {
    const said = `Both answer ${what} with ${status}; only 2xx answers are measured (see --path, --method).`;
    throw new Error([said, ...some(doubt)].join('\n'));
  }
  const { rounds, seconds, warmup, connections, settled, quick } = options;
  const setup = {
    generator: choice.generator,
    cores,
    settings: { rounds, seconds, warmup, connections, settled, quick },
  };
  const fresh = newRecord('app', setup, options.results);
  const versions = { ...fresh.versions, express: entry.express, node: node.version };
  const record: AppRecord = { ...fresh, versions, file: entry.file, request, verdict: '' };
  record.notes.push(...some(choice.note), ...some(doubt), ALIKE);
  record.notes.push(...startNote(given));
  if (varying.length > 0) record.notes.push(`Not compared, because it varies on Express too: ${varying.join(', ')}.`);
  record.notes.push(...dialect(entry.express));
  print(likenessLine(what, likeness));
  if (over2 !== undefined) record.notes.push(noteOver2(over2, connections));
  const load = over2 ?? { secure: likeness.secure };
  const peers = contestants(entry, over2 !== undefined);
  const scenario: Scenario = { name: what, title: what, request, load, expected: likeness.expected, peers };
  await recorded(record, options, () =>
    takeTurns(scenario, {
      settings: record.settings,
      generator: choice.generator,
      cores,
      node,
      signal,
      progress: (step) => options.progress(what, step),
      onSample: (sample) => record.samples.push(sample),
      onFailure: (failure) => record.failures.push(failure),
      onRetained: (retained) => note(record, retained),
      onServed: (contestant, served) => noteServer(record, contestant, served),
      onProfile: (contestant, hits) => noteShares(record, entry, { contestant, hits }),
    }),
  );
  conclude(record, options);
  return record;
}

const some = (text: string | undefined): string[] => (text === undefined ? [] : [text]);

/** Names what `npm start` gives the application; of the environment the names only, because values may be secret. */
function startNote({ nodeOptions, args, env }: AppOptions['given'] = asItIs): string[] {
  const words = [...Object.keys(env), ...nodeOptions, ...args];
  return words.length === 0 ? [] : [`Started with ${words.join(' ')}, as by npm start.`];
}

/** A line about what was equal. Parts that Express itself changes from one request to the next are in a note. */
function likenessLine(what: string, { expected: { status, fields, body } }: Likeness): string {
  const steady = fields.filter(([name, value]) => value !== null || isDate(name)).length;
  const counted = steady === fields.length ? `${steady} fields` : `${steady} of ${fields.length} fields`;
  return `The answers to ${what} are the same: ${status}, ${counted}${body === null ? '' : ', body'}.`;
}

/** @throws {Error} if HTTP/2 is asked for and its generator is not installed */
export function chooseGenerator({ generator, streams }: Pick<AppOptions, 'generator' | 'streams'>): Choice {
  if (generator !== undefined) return { generator };
  return streams === undefined ? preferred('wrk') : { generator: required('h2load') };
}

/** As many requests at once as over HTTP/1.1. */
function shapeOver2({ streams, connections }: AppOptions): LoadShape | undefined {
  if (streams === undefined) return undefined;
  return { streams, connections: Math.max(1, Math.round(connections / streams)), secure: true };
}

const noteOver2 = ({ connections, streams }: LoadShape, overHttp1: number): string =>
  `Nonstop is asked over HTTP/2, ${connections === 1 ? 'one connection' : `${connections} connections`} with ${streams} streams at once. Express has no HTTP/2: it and ` +
  `"Nonstop, HTTP/1.1" are asked over HTTP/1.1, ${overHttp1} connections. All over TLS.`;

function contestants({ express, peers }: Entry, over2: boolean): Scenario['peers'] {
  const own = `Express ${express.split('.')[0]}`;
  if (!over2) return { [own]: peers.Express, Nonstop: peers.Nonstop };
  const load = { secure: true };
  return {
    [own]: { ...peers.Express, load },
    'Nonstop, HTTP/1.1': { ...peers.Nonstop, load },
    Nonstop: peers.Nonstop,
  };
}

/** What `nonstop/register` loads for an application that has Express 4. */
const dialect = (express: string): string[] =>
  express.startsWith('4.')
    ? [`It has Express ${express}: Nonstop is nonstop/v4 here, which behaves as Express 4.`]
    : [];

function note(record: AppRecord, { contestant, bytes, requests }: Retained): void {
  const identity = { row: 'app', contestant, node: record.versions['node'], figure: 'memory that stays' };
  record.figures.push({ ...identity, unit: 'bytes/request', round: 0, value: bytes / requests });
  const said = growth(contestant, bytes, requests);
  if (said !== undefined) record.notes.push(said);
}

/** Names a contestant that another server than expected serves. */
function noteServer({ notes }: AppRecord, contestant: string, { engine }: Served): void {
  if (contestant.startsWith('Nonstop') === engine > 0) return;
  const said =
    engine > 0
      ? `Under ${contestant}, Nonstop's engine serves too: the application loads it itself.`
      : `Under ${contestant}, node:http serves, not Nonstop's engine: DEBUG=nonstop says why.`;
  if (!notes.includes(said)) notes.push(said);
}

interface Profiled {
  readonly contestant: string;
  readonly hits: Readonly<Record<string, number>>;
}

function noteShares(record: AppRecord, entry: Entry, { contestant, hits }: Profiled): void {
  const framework = FRAMEWORKS.flatMap((name) => [...withDependencies(name, entry.file)]);
  const names = new Set([...framework, ...withDependencies('nonstop', __filename), 'nonstop']);
  const shares = sharesOf(hits, names, entry.nonstop);
  if (shares !== undefined) record.notes.push(sharesLine(contestant, shares));
}

/** The record has the whole output of a process before its end; here one line is enough. */
const inShort = (failure: Failure): Failure => ({ ...failure, problem: gist(failure.problem) });

function conclude(record: AppRecord, { print, results, width, perSecond, streams }: AppOptions): void {
  const rows = summarise(record.samples);
  const { quick } = record.settings;
  const { failures, ended } = record;
  const course = { failures, over2: streams !== undefined, quick, ended };
  record.verdict = verdict(rows, course);
  const file = saveLast(record, results);
  if (rows.length > 0 || record.failures.length > 0) print(`\n${table(rows, record.failures.map(inShort), width)}`);
  for (const line of some(limitLine(rows))) print(`\n${line}`);
  print(`\n${colophon(record, file)}`);
  print(`\n${record.verdict}`);
  const pair = pairOf(rows, course);
  if (perSecond === undefined || typeof pair === 'string') return;
  print(
    differ(pair)
      ? atLoad(pair.express, pair.nonstop, perSecond)
      : `So there is none to scale to ${perSecond.toLocaleString('en')} requests/s.`,
  );
}
