import { isUtf8 } from 'node:buffer';

/**
 * A body as text, to be compared and to be shown. A body that is not UTF-8, such as a picture, becomes a mark and a character for each octet:
 * `toString()` writes the same character for each octet that it cannot read, so that different bodies would be equal.
 */
export const textOf = (body: Buffer): string => (isUtf8(body) ? body.toString() : `octets ${body.toString('latin1')}`);
