import { onFirstUse } from './lazy.js';

/** Writes one line when `DEBUG` selects this name; the format is that of the `debug` package. */
export type DebugLog = (format: string, ...values: unknown[]) => void;

/** Whether `DEBUG` selects this name. Check it before a call for every request, to save making the arguments. */
export const debugging: boolean = Boolean(process.env['DEBUG']);

const silent: DebugLog = () => undefined;

/**
 * A logger of the `debug` package under the names that Express uses, so that `DEBUG=express:*` and `DEBUG=router*` print
 * what they print under Express. The package is loaded only when the variable is set: it costs more than the whole
 * router.
 */
export function debugLog(namespace: string): DebugLog {
  if (!debugging) return silent;
  const logger = onFirstUse(() => (require('debug') as (namespace: string) => DebugLog)(namespace));
  return (format, ...values) => logger()(format, ...values);
}
