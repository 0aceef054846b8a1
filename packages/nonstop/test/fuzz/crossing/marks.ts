/** The name of one request: of its client, and its number there. All that the request or its answer consists of has it. */
const MARK = /c\d{3}r\d{4}/g;
const CLIENT_LENGTH = 4;
const MARK_LENGTH = 9;

export const clientName = (index: number): string => `c${String(index).padStart(3, '0')}`;
export const markOf = (client: string, number: number): string => `${client}r${String(number).padStart(4, '0')}`;

/** The client of a mark. */
export const ownerOf = (mark: string): string => mark.slice(0, CLIENT_LENGTH);

/** Octets that tell at each place whose they are. */
export function octetsOf(mark: string, length: number): Buffer {
  return Buffer.alloc(length, `${mark}.`);
}

/** Whether `data` is the part from `start` on of {@link octetsOf}. */
export function arePartOf(mark: string, start: number, data: Buffer): boolean {
  const shift = start % (MARK_LENGTH + 1);
  return octetsOf(mark, shift + data.length)
    .subarray(shift)
    .equals(data);
}

/** The mark in the fields of a client that repeats them in each request of a connection. */
export const repeatedMark = (client: string): string => markOf(client, 9999);

/** Whether a text has the mark of a request, or that of its client's repeated fields. */
export const hasOwn = (mark: string, text: string): boolean =>
  text.includes(mark) || text.includes(repeatedMark(ownerOf(mark)));

/** The marks in a text that are of other requests. */
export function othersThan(mark: string, text: string): string[] {
  return [...new Set(text.match(MARK))].filter((found) => found !== mark && found !== repeatedMark(ownerOf(mark)));
}

/** The marks in a text that are of another client. */
export function foreign(client: string, text: string): string[] {
  return [...new Set(text.match(MARK))].filter((found) => ownerOf(found) !== client);
}
