import { findCores } from '../cores.js';
import type { ScenarioRequest } from '../scenario.js';
import { summarise } from '../summary.js';
import { compareApp, type AppOptions, type AppRecord } from './app.js';
import { chooseRoutes, readHar, type Weighted } from './choose-requests.js';
import { findEntry, startFile } from './entry.js';

export interface VisitOptions extends Omit<AppOptions, 'file' | 'request'> {
  /** Path of the application's file. Default: from the manifest of the working directory. */
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
  const file = options.file ?? startFile(process.cwd());
  const { requests, notes } = await chosen(file, options);
  for (const note of notes) print(note);
  if (options.request === undefined && har === undefined)
    print(
      `Measured: ${requests.map(({ request }) => `${request.method} ${request.path}`).join(', ')} (--path chooses another).`,
    );
  const records: AppRecord[] = [];
  for (const { request } of requests) {
    records.push(await compareApp({ ...options, file, request }));
    if (signal.aborted) break;
  }
  if (records.length > 1) print(`\n${together(records, requests)}`);
  return records;
}

async function chosen(
  file: string,
  { request, har, node, signal, progress, streams }: VisitOptions,
): Promise<{ readonly requests: readonly Weighted[]; readonly notes: readonly string[] }> {
  if (request !== undefined) return { requests: [{ request, times: 1 }], notes: [] };
  if (har !== undefined) return readHar(har);
  progress(file, 'looking for its routes');
  const entry = findEntry(file, node.version, streams !== undefined);
  const options = { node: node.path, scenario: 'app', core: findCores().server, signal };
  return { requests: await chooseRoutes(entry, options), notes: [] };
}

/** The cost of all requests together, weighted by how often each occurs. */
function together(records: readonly AppRecord[], requests: readonly Weighted[]): string {
  let express = 0;
  let nonstop = 0;
  for (const [place, { samples }] of records.entries()) {
    const rows = summarise(samples);
    const ofExpress = rows.find(({ contestant }) => contestant.startsWith('Express'));
    const ofNonstop = rows.find(({ contestant }) => contestant === 'Nonstop');
    if (ofExpress === undefined || ofNonstop === undefined)
      return 'No sum: one of the requests was not measured on both.';
    express += ofExpress.cpu * requests[place].times;
    nonstop += ofNonstop.cpu * requests[place].times;
  }
  const count = records.reduce((sum, _record, place) => sum + requests[place].times, 0);
  const saved = Math.round((1 - nonstop / express) * 100);
  const gain = saved > 0 ? `${saved} % less` : saved < 0 ? `${-saved} % more` : 'no difference';
  return `All ${count} requests together: ${(express / 1000).toFixed(2)} ms CPU under Express, ${(nonstop / 1000).toFixed(2)} under Nonstop, ${gain}.`;
}
