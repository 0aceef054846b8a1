/** A formatted number: three significant digits, thousands as k and M. */
export function short(value: number): string {
  const size = Math.abs(value);
  if (size >= 999_500) return `${digits(value / 1e6)}M`;
  if (size >= 9_995) return `${digits(value / 1e3)}k`;
  if (size >= 999.5) return Math.round(value).toLocaleString('en');
  return digits(value);
}

function digits(value: number): string {
  const size = Math.abs(value);
  if (size === 0) return '0';
  const places = size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.1 ? 2 : 3;
  return value.toFixed(places);
}

/** A number beside an axis, without needless digits. */
export const tick = (value: number): string =>
  short(value)
    .replace(/(\.\d*?)0+(?=\D*$)/, '$1')
    .replace(/\.(?=\D*$)/, '');

/** An amount of bytes beside an axis. */
export function bytes(value: number): string {
  const units = ['B', 'KB', 'MB', 'GB'];
  const power = value < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(value) / 3));
  return `${tick(value / 1000 ** power)} ${units[power]}`;
}

/** A moment of a record: to the minute, in UTC. */
export const moment = (started: string): string => `${started.slice(0, 16).replace('T', ' ')} UTC`;

/** `1 record`, `2 records`. */
export const counted = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? '' : 's'}`;

/** An application's file with its folder: the rest of the path is in the details of the record. */
export const shortFile = (file: string): string => file.split(/[\\/]/).slice(-2).join('/');
