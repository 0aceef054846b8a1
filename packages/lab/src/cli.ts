import path = require('node:path');
import { parseArgs } from 'node:util';
import { compareVisit } from './app/visit.js';
import { labRoot } from './paths.js';
import { whyNotWritable } from './record.js';
import { report } from './report/report.js';
import type { ScenarioRequest } from './scenario.js';
import { terminal } from './terminal.js';

const usage = `nonstop-lab [./server.js | folder] [options]

Measures your application, unchanged, with its own Express and with Nonstop: compares the answers, then measures the CPU time of a
request, and writes a report page. Without a file, or with a folder, it runs the program of "npm start".

  --path /items           path of the request (default: up to three of the application's own routes)
  --method GET
  --header 'name: value'  may be repeated
  --body-file FILE
  --har FILE              requests from a browser's recording ("Save all as HAR")
  --rps 2000              your own load, to which the difference is scaled
  --http2                 over HTTP/2, beside Express over HTTP/1.1, which is all it has; both over TLS. Needs h2load
  --streams 10            of HTTP/2, at once on each connection; there are fewer connections for it
  --rounds 5              alternating rounds
  --seconds 4             duration of each sample
  --connections 50        connections at the same time
  --quick                 a short run that checks that everything works; its figures mean little
  --results FOLDER        for the records and report.html (default: ./nonstop-lab-results)

Exit status: 0 measured, 1 not measured, 130 interrupted.`;

const options = {
  path: { type: 'string' },
  method: { type: 'string', default: 'GET' },
  header: { type: 'string', multiple: true, default: [] as string[] },
  'body-file': { type: 'string' },
  har: { type: 'string' },
  rps: { type: 'string' },
  http2: { type: 'boolean', default: false },
  streams: { type: 'string' },
  rounds: { type: 'string' },
  seconds: { type: 'string' },
  connections: { type: 'string' },
  results: { type: 'string', default: 'nonstop-lab-results' },
  quick: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

function positive(name: string, text: string | undefined, usual: number): number {
  if (text === undefined) return usual;
  const value = Number(text);
  if (text.trim() !== '' && value > 0 && Number.isFinite(value)) return value;
  throw new Error(`--${name} needs a number above 0, got '${text}'`);
}

function whole(name: string, text: string | undefined, usual: number): number {
  if (text === undefined) return usual;
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new Error(`--${name} needs a whole number above 0, got '${text}'`);
}

const { requestOf } = require(path.join(labRoot, 'request-options.js')) as {
  requestOf: (options: {
    readonly path?: string;
    readonly method: string;
    readonly header: readonly string[];
    readonly 'body-file'?: string;
    readonly har?: string;
  }) => ScenarioRequest | undefined;
};

/** The folder for the records, which need not exist yet. */
function resultsIn(folder: string): string {
  const results = path.resolve(folder);
  const problem = whyNotWritable(results);
  if (problem === undefined) return results;
  throw new Error(`--results needs a folder that can be written to, got '${folder}' (${problem})`);
}

/** parseArgs takes `-3` for an option. So it is joined to the option before it. */
function withNegativeValues(args: readonly string[]): string[] {
  const joined: string[] = [];
  for (const arg of args) {
    const before = joined.at(-1);
    if (/^-\d/.test(arg) && before !== undefined && /^--[\w-]+$/.test(before)) joined.splice(-1, 1, `${before}=${arg}`);
    else joined.push(arg);
  }
  return joined;
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: withNegativeValues(args), options, allowPositionals: true });
  } catch (error) {
    // The sentences after the first explain a syntax that does not help here.
    const [said] = (error as Error).message.split(/\.\s|\n/);
    const problem = said.replace(
      /^Option '(--[\w-]+)' argument is ambiguous$/,
      "Option '$1' needs a value; one that begins with a dash is written $1=-x",
    );
    throw new Error(`${problem} (--help shows the options)`, { cause: error });
  }
}

/** Aborted when a person, a supervisor or a closed terminal ends the run. */
const interrupt = new AbortController();

async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parse(args);
  if (values.help) {
    console.log(usage);
    return 0;
  }
  if (positionals.length > 1) throw new Error(`Unexpected argument: ${positionals[1]}`);
  const usual = values.quick
    ? { rounds: 1, seconds: 0.3, warmup: 0.2, connections: 10, settled: 200, quick: true }
    : { rounds: 5, seconds: 4, warmup: 2, connections: 50 };
  if (values.streams !== undefined && !values.http2) throw new Error('--streams needs --http2');
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => interrupt.abort(new Error('interrupted')));
  const results = resultsIn(values.results);
  const records = await compareVisit({
    ...usual,
    rounds: whole('rounds', values.rounds, usual.rounds),
    seconds: positive('seconds', values.seconds, usual.seconds),
    connections: whole('connections', values.connections, usual.connections),
    perSecond: values.rps === undefined ? undefined : positive('rps', values.rps, 1),
    file: positionals[0],
    request: requestOf(values),
    har: values.har,
    streams: values.http2 ? whole('streams', values.streams, 10) : undefined,
    node: { version: process.version, path: process.execPath },
    results,
    signal: interrupt.signal,
    ...terminal(),
  });
  if (records.some(({ samples }) => samples.length > 0)) {
    report({ results, out: path.join(results, 'report.html'), print: console.log });
  }
  if (interrupt.signal.aborted) return 130;
  return records.every(({ ended, failures }) => ended === 'complete' && failures.length === 0) ? 0 : 1;
}

run(process.argv.slice(2)).then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    // Before the first load the interruption is an error.
    process.exitCode = interrupt.signal.aborted ? 130 : 1;
  },
);
