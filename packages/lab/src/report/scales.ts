/** Turns values into places on an axis. */
export interface Scale {
  /** The place of a value, in units of the drawing. */
  readonly at: (value: number) => number;
  /** Values to write at the axis, ascending. */
  readonly ticks: readonly number[];
}

interface Room {
  /** Where the axis begins and ends in the drawing; the end may be the smaller one. */
  readonly from: number;
  readonly to: number;
}

/**
 * An axis from zero, for bars, because their lengths are compared.
 *
 * @param most the highest value to show; the axis ends there or a little beyond, on a round number
 * @param steps approximate number of ticks besides zero
 */
export function fromZero(most: number, { from, to }: Room, steps = 4): Scale {
  const step = roundStep((most > 0 ? most : 1) / steps);
  const count = Math.max(1, Math.ceil((most > 0 ? most : 1) / step - 1e-9));
  // Multiplied instead of added, because 0.1 + 0.1 + 0.1 is not 0.3.
  const ticks = Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
  const end = ticks[count];
  return { ticks, at: (value) => from + (value / end) * (to - from) };
}

/** The next of 1, 2, 2.5 and 5, times a power of ten, that is not below a value. */
function roundStep(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 2.5, 5, 10].find((candidate) => candidate * power >= value * (1 - 1e-9)) ?? 10;
  return step * power;
}

/**
 * A logarithmic axis. Zero has no logarithm: if it is among the values, it gets a separate place before the smallest
 * other value. `zero` is that place, and the axis is drawn broken there.
 *
 * @throws {RangeError} for a negative value, and if no value is above zero
 */
export function logarithmic(values: readonly number[], { from, to }: Room): Scale & { readonly zero: boolean } {
  const positive = values.filter((value) => value > 0);
  if (positive.length === 0 || values.some((value) => !(value >= 0)))
    throw new RangeError('A logarithmic axis needs values above zero');
  const zero = positive.length < values.length;
  const lowest = Math.min(...positive);
  const highest = Math.max(...positive);
  // A single value has no range, so it is put in the middle of a decade.
  const low = Math.log10(lowest) - (lowest === highest ? 0.5 : 0);
  const high = Math.log10(highest) + (lowest === highest ? 0.5 : 0);
  const start = zero ? from + (to - from) * 0.14 : from;
  const at = (value: number): number =>
    value > 0 ? start + ((Math.log10(value) - low) / (high - low)) * (to - start) : from;
  return { at, zero, ticks: [...(zero ? [0] : []), ...decadeTicks(low, high)] };
}

/** Powers of ten between two logarithms; with their doubles and fives if there are few of them. */
function decadeTicks(low: number, high: number): number[] {
  const within = (factors: readonly number[]): number[] => {
    const powers = Array.from({ length: Math.ceil(high) - Math.floor(low) + 1 }, (_, index) => Math.floor(low) + index);
    return powers
      .flatMap((power) => factors.map((factor) => Number(`${factor}e${power}`)))
      .filter((value) => Math.log10(value) >= low - 1e-9 && Math.log10(value) <= high + 1e-9);
  };
  const [tens, some, many] = [within([1]), within([1, 3]), within([1, 2, 5])];
  if (tens.length >= 3) return tens;
  if (some.length >= 4) return some;
  return many.length >= 3 ? many : within([1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9]);
}

/**
 * Moves labels apart that would cover each other, as little as necessary.
 *
 * @param places the wanted place of each
 * @param gap the minimum distance of two labels
 * @param room the allowed range
 * @returns the place of each, in the order of `places`
 */
export function apart(places: readonly number[], gap: number, { from, to }: Room): number[] {
  const order = [...places.keys()].sort((a, b) => places[a] - places[b]);
  const result = [...places];
  let last = from - gap;
  for (const index of order) last = result[index] = Math.max(result[index], last + gap);
  let next = to + gap;
  for (const index of order.toReversed()) next = result[index] = Math.min(result[index], next - gap);
  return result;
}
