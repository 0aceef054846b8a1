import type { FieldName } from './field-names.js';
import { UNSAFE_VALUE } from './field-values.js';

/** Values longer than this are not worth their memory. */
const LONGEST_REPEATED = 256;

/**
 * The line of a field, with its CRLF.
 *
 * @param value well-formed, in ASCII
 */
export function fieldLine({ last }: FieldName, name: string, value: string): string {
  if (value === last.value && name === last.name) return last.text;
  const text = name + ': ' + value + '\r\n';
  const length = value.length;
  if (length === 0 || length > LONGEST_REPEATED) return text;
  const mark = (length << 16) ^ (value.charCodeAt(length >> 1) << 8) ^ value.charCodeAt(length - 1);
  if (mark === last.mark && !UNSAFE_VALUE.test(value)) {
    // Copies: a part of a larger string would keep all of that alive.
    last.text = Buffer.from(text, 'latin1').toString('latin1');
    last.name = name;
    last.value = Buffer.from(value, 'latin1').toString('latin1');
  }
  last.mark = mark;
  return text;
}
