import fs = require('node:fs');
import { ask } from '../ask.js';
import type { PeerOptions } from '../peer.js';
import type { ScenarioRequest } from '../scenario.js';
import type { Entry } from './entry.js';
import { startApp } from './same-answer.js';

/** A request that is measured, and how often it comes in a visit. */
export interface Weighted {
  readonly request: ScenarioRequest;
  readonly times: number;
}

export interface Chosen {
  readonly requests: readonly Weighted[];
  /** Messages about what was left out. */
  readonly notes: readonly string[];
}

/** The number of routes to measure if none are named: each takes most of a minute. */
const MOST_ROUTES = 3;

/** The number of routes to try. */
const MOST_ASKED = 20;

/** Time limit of a route's answer, in milliseconds: an event stream never ends, and an application may have several. */
const PATIENCE = 3000;

export interface Search extends PeerOptions {
  /** Called before each step. */
  readonly progress: (step: string) => void;
}

/**
 * Chooses requests from the application's own routes: GET, without parameters, answered with 2xx.
 *
 * @returns at least one request; `/` if the application lists no routes
 * @throws {Error} when it does not start under Nonstop
 */
export async function chooseRoutes({ peers }: Entry, options: Search): Promise<Chosen> {
  options.progress('starting it, to look for its routes');
  const peer = await startApp('Nonstop', peers, options);
  const chosen: Weighted[] = [];
  const endless: string[] = [];
  try {
    for (const path of [...new Set(peer.routes)].slice(0, MOST_ASKED)) {
      options.signal?.throwIfAborted();
      options.progress(`trying GET ${path}`);
      const request = { method: 'GET', path };
      const { status } = await ask(peer.port, request, { secure: peer.secure }, PATIENCE).catch((error: Error) => {
        if (error.message.startsWith('no complete answer')) endless.push(`GET ${path}`);
        return { status: 0 };
      });
      if (status >= 200 && status <= 299) chosen.push({ request, times: 1 });
      if (chosen.length === MOST_ROUTES) break;
    }
  } finally {
    await peer.stop();
  }
  const notes =
    endless.length === 0 ? [] : [`Left out, no complete answer in ${PATIENCE / 1000} s: ${endless.join(', ')}.`];
  return { requests: chosen.length > 0 ? chosen : [{ request: { method: 'GET', path: '/' }, times: 1 }], notes };
}

/** The number of different requests of a recording to measure: the most frequent ones. */
const MOST_RECORDED = 8;

/** Fields of a recorded request that matter to an application; the others belong to the recorded connection. */
const SENT = /^(?:accept(?:-.*)?|authorization|cookie|user-agent|x-requested-with)$/i;

interface Har {
  readonly log: {
    readonly entries: readonly {
      readonly request: {
        readonly method: string;
        readonly url: string;
        readonly headers: readonly { readonly name: string; readonly value: string }[];
      };
      readonly response: { readonly status: number };
    }[];
  };
}

/**
 * Reads a browser's recording (HAR 1.2, "Save all as HAR").
 *
 * @throws {Error} in one line, if the file cannot be read, is not a recording, or has no request to measure
 */
export function readHar(file: string): Chosen {
  const { entries } = parseHar(file).log;
  for (const [place, entry] of entries.entries()) mustBeWhole(entry, place + 1, file);
  const origin = mostCommon(entries.map(({ request }) => new URL(request.url).origin));
  const usable = entries.filter(
    ({ request, response }) =>
      request.method === 'GET' &&
      new URL(request.url).origin === origin &&
      response.status >= 200 &&
      response.status <= 299,
  );
  const byPath = new Map<string, Weighted>();
  for (const { request } of usable) {
    const { pathname, search } = new URL(request.url);
    const path = pathname + search;
    const times = (byPath.get(path)?.times ?? 0) + 1;
    byPath.set(path, { request: { method: 'GET', path, headers: sentFields(request.headers) }, times });
  }
  const all = [...byPath.values()].toSorted((a, b) => b.times - a.times);
  if (all.length === 0) throw new Error(`--har: ${file} has no GET with a 2xx answer`);
  const requests = all.slice(0, MOST_RECORDED);
  const covered = requests.reduce((sum, { times }) => sum + times, 0);
  const notes = [
    `The recording has ${entries.length} requests; ${covered} of them, ${requests.length} different ones to ${origin}, are measured: ` +
      'GET, answered with 2xx.',
  ];
  return { requests, notes };
}

function parseHar(file: string): Har {
  let har: Partial<Har> | null;
  try {
    har = JSON.parse(fs.readFileSync(file, 'utf8')) as Partial<Har> | null;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(`--har: ${file} cannot be read (${code ?? message})`, { cause: error });
  }
  if (!Array.isArray(har?.log?.entries)) throw new Error(`--har: ${file} is not a recording: it has no log.entries`);
  return har as Har;
}

interface Unknown {
  readonly request?: { readonly method?: unknown; readonly url?: unknown; readonly headers?: unknown };
  readonly response?: { readonly status?: unknown };
}

/** @throws {Error} in one line, if an entry of a recording misses what is read of it, or has a wrong URL */
function mustBeWhole(entry: Unknown | null, number: number, file: string): void {
  const { request, response } = entry ?? {};
  const present = {
    'request.method': typeof request?.method === 'string',
    'request.url': typeof request?.url === 'string',
    'request.headers': Array.isArray(request?.headers) && request.headers.every(isField),
    'response.status': typeof response?.status === 'number',
  };
  const missing = Object.entries(present).find(([, isThere]) => !isThere);
  if (missing !== undefined) {
    const hint = 'a browser writes one with "Save all as HAR"';
    throw new Error(`--har: ${file} is not a recording: entry ${number} has no ${missing[0]} (${hint})`);
  }
  const url = request?.url as string;
  if (!URL.canParse(url))
    throw new Error(`--har: ${file}, entry ${number}: '${url}' is not a URL such as http://localhost:3000/items`);
}

function isField(field: { readonly name?: unknown; readonly value?: unknown } | null): boolean {
  return typeof field?.name === 'string' && typeof field.value === 'string';
}

function mostCommon(values: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}

function sentFields(fields: Har['log']['entries'][number]['request']['headers']): Record<string, string> {
  return Object.fromEntries(fields.filter(({ name }) => SENT.test(name)).map(({ name, value }) => [name, value]));
}
