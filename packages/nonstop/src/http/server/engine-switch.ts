import { ENGINES, unknownEngineError, type EngineName } from '../../core/errors.js';

/**
 * What NONSTOP_ENGINE says now; empty is as good as unset.
 *
 * @throws TypeError ERR_NONSTOP_ENGINE for another value than those of {@link ENGINES}
 */
export function chosenByEnvironment(): EngineName | undefined {
  const value = process.env['NONSTOP_ENGINE'];
  return value === undefined || value === '' ? undefined : engineName(value, 'NONSTOP_ENGINE');
}

/** @throws TypeError ERR_NONSTOP_ENGINE where `value` is not the name of an engine */
export function engineName(value: unknown, where: string): EngineName {
  const known = ENGINES.find((name) => name === value);
  if (known === undefined) throw unknownEngineError(where, value);
  return known;
}

// A misspelt switch is told when the process starts, and not by its first request.
chosenByEnvironment();
