import type { LoadShape, ScenarioRequest } from './scenario.js';

/** One stretch of load on a server. */
export interface LoadPlan {
  /** On 127.0.0.1. */
  readonly port: number;
  readonly request: ScenarioRequest;
  readonly shape?: LoadShape;
  /** How many at once. */
  readonly connections: number;
  /** Fractions are allowed. */
  readonly seconds: number;
  /** Ends the load after so many answers instead; `wrk` counts time only. */
  readonly requests?: number;
  /** Threads of the generator, where it has them; one when left out. */
  readonly workers?: number;
  /** The core of the generator, or a list of them as taskset takes it, when it can be held there. */
  readonly core?: number | string;
}

export interface LoadResult {
  /** Complete answers. */
  readonly requests: number;
  /** As the generator measured it, between its first and last request. */
  readonly seconds: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** What went wrong, by kind, and how often: failed connections, timeouts, answers other than 2xx. Empty when nothing did. */
  readonly errors: Readonly<Record<string, number>>;
}

/** What makes the load. */
export interface Generator {
  readonly name: string;
  readonly version: string;
  /**
   * Loads a server once.
   *
   * @throws {Error} when the generator gives no report, or `signal` ends it
   */
  run(plan: LoadPlan, signal?: AbortSignal): Promise<LoadResult>;
}

/** Seconds after which a load that counts requests is given up: a million of them on a slow server end within. */
const longest = 900;

/** How long a generator may take for a plan before it is ended, in milliseconds. */
export const limitOf = ({ seconds, requests }: LoadPlan): number =>
  (requests === undefined ? seconds + 20 : longest) * 1000;

/** Where a plan's requests go. */
export const urlOf = ({ port, request, shape }: LoadPlan): string =>
  `http${shape?.secure ? 's' : ''}://127.0.0.1:${port}${request.path}`;

/** The fields that a generator has to send: without keep-alive, each request asks for its connection to be closed. */
export const fieldsOf = ({ request, shape }: LoadPlan): Readonly<Record<string, string>> => ({
  ...request.headers,
  ...(shape?.keepAlive === false ? { Connection: 'close' } : {}),
});

/** The kinds of error that did occur. */
export function occurred(counts: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}
