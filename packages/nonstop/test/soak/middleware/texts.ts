import { createHash } from 'node:crypto';

export const sha1 = (body: string | Buffer): string => createHash('sha1').update(body).digest('hex');

/** @returns 96 kB that are different for each id, and that compress well */
export const bigText = (id: string): string => `${id}.`.padEnd(64, '_').repeat(1_536);

/** @returns parts of 96 kB together */
export function partsOf(id: string): string[] {
  const text = bigText(id);
  return Array.from({ length: 12 }, (_, i) => text.slice(i * 8_192, (i + 1) * 8_192));
}
