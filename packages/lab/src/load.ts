import type { LoadShape, ScenarioRequest } from './scenario.js';

/** One stretch of load on a server. */
export interface LoadPlan {
  /** On 127.0.0.1. */
  readonly port: number;
  readonly request: ScenarioRequest;
  readonly shape?: LoadShape;
  /** How many at once; a shape with a number of its own has that one. */
  readonly connections: number;
  /** Fractions are allowed. */
  readonly seconds: number;
  /** Ends the load after this number of answers instead; `wrk` supports only time. */
  readonly requests?: number;
  /** Threads of the generator, if it supports them. Default: one. */
  readonly workers?: number;
  /** The core of the generator, or a list of cores in taskset's syntax, if it can be pinned. */
  readonly core?: number | string;
}

export interface LoadResult {
  /** Complete answers. */
  readonly requests: number;
  /** Measured by the generator, between its first and last request. */
  readonly seconds: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Number of errors by kind: failed connections, timeouts, answers other than 2xx (of wrk, above 399). Empty without errors. */
  readonly errors: Readonly<Record<string, number>>;
}

/** A load generator. */
export interface Generator {
  readonly name: string;
  readonly version: string;
  /**
   * Loads a server once.
   *
   * @throws {Error} if the generator gives no report, or if `signal` aborts
   */
  run(plan: LoadPlan, signal?: AbortSignal): Promise<LoadResult>;
}

/** How many different requests autocannon sends in turn where they are to differ: as many as `files-200` has files. */
export const REPEATED = 200;

/** Time limit of a load that counts requests, in seconds: a million of them on a slow server take less. */
const longest = 900;

/** Time limit of a generator for a plan, in milliseconds. */
export const limitOf = ({ seconds, requests }: LoadPlan): number =>
  (requests === undefined ? seconds + 20 : longest) * 1000;

export const urlOf = ({ port, request, shape }: LoadPlan): string =>
  `http${shape?.secure ? 's' : ''}://127.0.0.1:${port}${request.path}`;

/** The fields for the generator: without keep-alive each request has `Connection: close`. */
export const fieldsOf = ({ request, shape }: LoadPlan): Readonly<Record<string, string>> => ({
  ...request.headers,
  ...(shape?.keepAlive === false ? { Connection: 'close' } : {}),
});

/** The kinds of error with a count above zero. */
export function occurred(counts: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}
