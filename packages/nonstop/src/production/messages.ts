import type { ProductionErrorCode } from './errors.js';

/** Messages from a worker to its supervisor. */
export type FromWorker =
  | { readonly nonstop: 'ready'; readonly addresses: readonly string[] }
  | { readonly nonstop: 'failed'; readonly code: ProductionErrorCode; readonly message: string }
  | { readonly nonstop: 'answer'; readonly id: number; readonly value: unknown }
  /** It got SIGTERM and wants a replacement before it ends. */
  | { readonly nonstop: 'leaving' }
  /** Its connections are closed; this number of hooks will run. */
  | { readonly nonstop: 'emptied'; readonly hooks: number }
  | { readonly nonstop: 'drained'; readonly cut: readonly string[]; readonly failed: readonly string[] };

/** Messages from a supervisor to a worker. */
export type ToWorker =
  | { readonly nonstop: 'drain'; readonly delay: number }
  /** Milliseconds that a connection has waited for a worker. */
  | { readonly nonstop: 'waited'; readonly time: number }
  | { readonly nonstop: 'ask'; readonly id: number; readonly what: Question };

/** The members of a worker's health. */
export type Question = 'live' | 'ready' | 'measured';

/** The environment variable with a worker's settings. */
export const SETTINGS_VARIABLE = 'NONSTOP_PRODUCTION';
