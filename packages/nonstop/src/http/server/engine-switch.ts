import { ENGINES, unknownEngineError, type EngineName } from '../../core/errors.js';

/**
 * The current value of NONSTOP_ENGINE; an empty one counts as unset.
 *
 * @throws TypeError ERR_NONSTOP_ENGINE for a value that is not in {@link ENGINES}
 */
export function chosenByEnvironment(): EngineName | undefined {
  const value = process.env['NONSTOP_ENGINE'];
  return value === undefined || value === '' ? undefined : engineName(value, 'NONSTOP_ENGINE');
}

/** @throws TypeError ERR_NONSTOP_ENGINE if `value` is not the name of an engine */
export function engineName(value: unknown, where: string): EngineName {
  const known = ENGINES.find((name) => name === value);
  if (known === undefined) throw unknownEngineError(where, value);
  return known;
}

// A wrong value is reported at the start of the process, not at its first request.
chosenByEnvironment();
