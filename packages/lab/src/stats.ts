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
 * Two of the values, with the median of what they are samples of between them in at least 93 of 100 cases: the lowest and the highest of five
 * to eight, the second and the eighth of nine, the third and the ninth of eleven. Fewer than five are less certain. Unlike the range it becomes
 * narrower with more values.
 *
 * @returns lowest, highest
 * @throws {RangeError} when there is no value
 */
export function medianInterval(values: readonly number[]): readonly [lowest: number, highest: number] {
  if (values.length === 0) throw new RangeError('The median of nothing');
  const sorted = values.toSorted((a, b) => a - b);
  const { length } = sorted;
  // Each value is below the median with a chance of one half: at most `left` of them are, with the sum of the binomial distribution.
  let left = 0;
  let chance = 2 ** -length;
  let outside = 2 * chance;
  for (;;) {
    chance *= (length - left) / (left + 1);
    outside += 2 * chance;
    if (outside > 0.07) return [sorted[left], sorted[length - 1 - left]];
    left++;
  }
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

/**
 * The order of the contestants of a shared database in a round. With a plain rotation each would always follow the same one, whose writes
 * may still keep the database busy. These are the rows of a Williams square: over as many rounds as there are contestants (twice as many if
 * the number is odd) each contestant is at each position, and follows each other one, equally often.
 *
 * @param round counted from 0
 */
export function balanced<T>(contestants: readonly T[], round: number): T[] {
  const size = contestants.length;
  // 0, 1, n-1, 2, n-2, …: every difference between neighbours occurs once.
  const row = contestants.map((_, place) => {
    const zigzag = place % 2 === 1 ? (place + 1) / 2 : size - place / 2;
    return contestants[(zigzag + round) % size];
  });
  const mirrored = size % 2 === 1 && Math.floor(round / size) % 2 === 1;
  return mirrored ? row.reverse() : row;
}
