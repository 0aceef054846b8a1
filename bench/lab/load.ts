import type { ScenarioRequest } from './scenario.js';

/** One stretch of load on a server. */
export interface LoadPlan {
  /** On 127.0.0.1. */
  readonly port: number;
  readonly request: ScenarioRequest;
  /** Kept alive, each with one request at a time. */
  readonly connections: number;
  /** Fractions are allowed. */
  readonly seconds: number;
  /** The core of the generator, when it can be held on one. */
  readonly core?: number;
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

/** The kinds of error that did occur. */
export function occurred(counts: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}
