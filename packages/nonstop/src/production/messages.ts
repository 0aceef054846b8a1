import type { DrainReport } from './drain.js';
import type { ProductionErrorCode } from './errors.js';
import type { Measured } from './metrics.js';

/** Messages from a worker to its supervisor. */
export type FromWorker =
  | { readonly nonstop: 'ready'; readonly addresses: readonly string[] }
  | { readonly nonstop: 'failed'; readonly code: ProductionErrorCode; readonly message: string }
  | { readonly nonstop: 'answer'; readonly id: number; readonly value: unknown }
  /** It got SIGTERM and wants a replacement before it ends. */
  | { readonly nonstop: 'leaving' }
  | { readonly nonstop: 'pong' }
  /** It has stopped listening. The supervisor returns the message after the last connection for this worker. */
  | { readonly nonstop: 'stopped' }
  /** Its connections are ended. `time` is the limit of its hooks, in milliseconds. */
  | { readonly nonstop: 'emptied'; readonly time: number }
  | ({ readonly nonstop: 'drained'; readonly measured: Measured } & DrainReport);

/** Messages from a supervisor to a worker. */
export type ToWorker =
  | { readonly nonstop: 'drain'; readonly delay: number }
  /** Ends it at once; it tells what it cuts off. */
  | { readonly nonstop: 'end'; readonly status: number }
  | { readonly nonstop: 'stopped' }
  /** Asks whether its event loop still turns. */
  | { readonly nonstop: 'ping' }
  /** How long a connection has waited for a worker, in milliseconds. */
  | { readonly nonstop: 'waited'; readonly time: number }
  | { readonly nonstop: 'ask'; readonly id: number; readonly what: Question };

/** The members of a worker's health. */
export type Question = 'live' | 'ready' | 'measured';

/** The environment variable with a worker's settings. */
export const SETTINGS_VARIABLE = 'NONSTOP_PRODUCTION';
