/**
 * The median of the values; for an even number of them the mean of the middle two.
 *
 * @throws {RangeError} when there is no value
 */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError('The median of nothing');
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * The spread of the values: the range as a share of the median.
 *
 * @returns 0 for equal values, 0.1 when lowest and highest are a tenth of the median apart
 * @throws {RangeError} when there is no value
 */
export function spread(values: readonly number[]): number {
  const middle = median(values);
  return middle === 0 ? 0 : (Math.max(...values) - Math.min(...values)) / middle;
}

/**
 * The spread of the middle half of the values: the distance of its ends as a share of the median. Unlike {@link spread} it does not grow with the
 * number of values, and one disturbed round of five does not show in it.
 *
 * @throws {RangeError} when there is no value
 */
export function middleSpread(values: readonly number[]): number {
  const middle = median(values);
  const sorted = values.toSorted((a, b) => a - b);
  const quarter = Math.floor(sorted.length / 4);
  return middle === 0 ? 0 : (sorted[sorted.length - 1 - quarter] - sorted[quarter]) / middle;
}

/**
 * The arithmetic mean.
 *
 * @throws {RangeError} when there is no value
 */
export function mean(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError('The mean of nothing');
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * The standard deviation of a sample (over n - 1).
 *
 * @returns 0 for a single value
 * @throws {RangeError} when there is no value
 */
export function deviation(values: readonly number[]): number {
  const middle = mean(values);
  if (values.length === 1) return 0;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1));
}

/**
 * The order of the contestants in a round: each goes first equally often, so that a drift of the machine affects all
 * equally.
 *
 * @param round counted from 0
 */
export function rotated<T>(items: readonly T[], round: number): T[] {
  const start = items.length === 0 ? 0 : round % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}
