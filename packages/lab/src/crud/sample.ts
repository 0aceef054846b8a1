import type { Verb } from './shapes.js';

/** The route without a database, in place of a shape. */
export const control = 'control';

/** One request. */
export interface CrudSample {
  readonly node: string;
  readonly contestant: string;
  /** Name of a shape, or `control`. */
  readonly shape: string;
  readonly verb: Verb;
  /** Counted from 0. */
  readonly repetition: number;
  /** Milliseconds until the whole answer was read. */
  readonly clientMs: number;
  /** Milliseconds from the server's request to the head of its answer. */
  readonly serverMs: number;
}

/** The CPU time of the server's process for the four requests of one shape in one repetition. */
export interface CpuSample extends Pick<CrudSample, 'node' | 'contestant' | 'shape' | 'repetition'> {
  readonly requests: number;
  /** User and system time of all four, in microseconds, including the cost of reading it. */
  readonly cpu: number;
  /** The cost of reading it without a request, in microseconds; only for the control route. */
  readonly question?: number;
}
