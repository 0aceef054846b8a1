/** Milliseconds with three significant digits, and at most three decimals: 0.123, 4.56, 78.9, 1,234. */
export function milliseconds(value: number): string {
  const decimals = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
  return value.toLocaleString('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

/** Such as `4.56 ± 0.41`, with equally many decimals on both sides. */
export function withDeviation(mean: number, deviation: number | undefined): string {
  const text = milliseconds(mean);
  if (deviation === undefined) return text;
  const decimals = text.split('.')[1]?.length ?? 0;
  return `${text} ± ${deviation.toLocaleString('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })}`;
}

/** Such as `+12 %` and `−3 %`. */
export function percent(value: number): string {
  const whole = Math.round(value);
  return `${whole > 0 ? '+' : whole < 0 ? '−' : ''}${Math.abs(whole)} %`;
}

/** Converts `an array of 100 strings` to `Array of 100 strings`. */
export const asHeading = (text: string): string =>
  text.replace(/^(?:an? )?./, (start) => start.slice(-1).toUpperCase());

/** Such as `+12 % ± 5`. */
export const percentWithin = (value: number, within: number | undefined): string =>
  within === undefined ? percent(value) : `${percent(value)} ± ${Math.round(within)}`;

export const count = (value: number): string => value.toLocaleString('en');

/** An approximate duration, in words. */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return seconds <= 1 ? 'about a second' : `about ${seconds} seconds`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return minutes === 1 ? 'about a minute' : `about ${minutes} minutes`;
  const hours = Math.floor(minutes / 60);
  return `${hours} h ${minutes % 60} min`;
}

/** The size of a JSON body, in bytes as sent. */
export const bytes = (size: number): string =>
  size < 1000 ? `${size} B` : `${(size / 1000).toFixed(size < 10_000 ? 1 : 0)} kB`;
