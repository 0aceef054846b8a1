import { lazy } from './lazy.js';

/** Writes one line for those who run with `DEBUG=...`; the format is `debug`'s. */
export type DebugLog = (format: string, ...values: unknown[]) => void;

/** Whether anybody asked for such lines; ask it before a call on the way of a request, to save the arguments. */
export const debugging: boolean = Boolean(process.env['DEBUG']);

const silent: DebugLog = () => undefined;

/**
 * A logger of the `debug` package under the names that Express uses, so that `DEBUG=express:*` and `DEBUG=router*` keep
 * telling what they told. The package is loaded only when the variable is set: it costs more than the whole router.
 */
export function debugLog(namespace: string): DebugLog {
  if (!debugging) return silent;
  const logger = lazy(() => (require('debug') as (namespace: string) => DebugLog)(namespace));
  return (format, ...values) => logger()(format, ...values);
}
