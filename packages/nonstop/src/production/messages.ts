import type { ProductionErrorCode } from './errors.js';

/** What a worker tells its supervisor. */
export type FromWorker =
  | { readonly nonstop: 'ready'; readonly addresses: readonly string[] }
  | { readonly nonstop: 'failed'; readonly code: ProductionErrorCode; readonly message: string }
  | { readonly nonstop: 'answer'; readonly id: number; readonly value: unknown }
  /** It was sent SIGTERM, and wants another in its place before it goes. */
  | { readonly nonstop: 'leaving' }
  /** Its connections are ended; so many hooks are to run. */
  | { readonly nonstop: 'emptied'; readonly hooks: number }
  | { readonly nonstop: 'drained'; readonly cut: readonly string[]; readonly failed: readonly string[] };

/** What a supervisor tells or asks a worker. */
export type ToWorker =
  | { readonly nonstop: 'drain'; readonly delay: number }
  /** So many milliseconds a connection has waited for a worker. */
  | { readonly nonstop: 'waited'; readonly time: number }
  | { readonly nonstop: 'ask'; readonly id: number; readonly what: Question };

/** The members of a worker's health. */
export type Question = 'live' | 'ready' | 'measured';

/** The environment variable in which a worker finds its settings. */
export const SETTINGS_VARIABLE = 'NONSTOP_PRODUCTION';
