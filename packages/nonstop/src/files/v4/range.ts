/** Behind any file: a part that begins here cannot be satisfied. */
const NOWHERE = String(Number.MAX_SAFE_INTEGER);

/**
 * A Range field written so that range-parser 1.3 finds in it what range-parser 1.2 found: a number counts as far as it can be read, a
 * part without any is left aside.
 */
export function lenientRange(field: string): string {
  const equals = field.indexOf('=');
  if (equals === -1) return field;
  const parts = field
    .slice(equals + 1)
    .split(',')
    .map((part) => part.split('-').map((digits) => position(digits)))
    .filter(([start, end]) => start !== '' || (end ?? '') !== '')
    .map(([start, end]) => `${start}-${end ?? ''}`);
  return `${field.slice(0, equals)}=${parts.join(',') || `${NOWHERE}-`}`;
}

function position(digits: string): string {
  const number = parseInt(digits, 10);
  return Number.isNaN(number) ? '' : String(Math.min(number, Number.MAX_SAFE_INTEGER));
}
