/** A linear axis from zero (or from a negative value, if there are any) to a round number. */
export interface Axis {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly number[];
}

/**
 * An axis that contains all values and zero, with round ticks.
 *
 * @param wanted approximate number of parts
 */
export function axisFor(values: readonly number[], wanted: number): Axis {
  const least = Math.min(0, ...values);
  // Without values there is still an axis.
  const most = Math.max(0, ...values) || (least === 0 ? 1 : 0);
  const step = roundStep((most - least) / wanted);
  const first = Math.floor(least / step);
  const last = Math.max(first + 1, Math.ceil(most / step));
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => clean((first + index) * step));
  return { low: ticks[0], high: ticks[ticks.length - 1], ticks };
}

/** The next of 1, 2, 5, 10, … times a power of ten. */
function roundStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= rough * 0.999_999) ?? 10;
  return factor * power;
}

/** Rounds 0.30000000000000004 to 0.3. */
const clean = (value: number): number => Number(value.toPrecision(12));

/** The position of a value, from 0 to 1. */
export const placeOf = (value: number, { low, high }: Axis): number => (value - low) / (high - low);
