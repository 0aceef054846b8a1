/** Input that the engine refuses on purpose although node accepts it. Any other input that only one of them refuses is a bug. */
export interface Stricter {
  readonly reason: string;
  /** Whether these bytes (latin1) are such input. */
  readonly applies: (text: string) => boolean;
}

const STRICTER: readonly Stricter[] = [
  {
    reason: 'a length or chunk size within a digit of 2^64 is refused at once; node waits for its first bytes',
    applies: (text) => /content-length:[ \t]*\d{20}|(?:^|\n)f{16}\r\n/i.test(text),
  },
  {
    reason: 'an empty Transfer-Encoding names no framing (RFC 9112 §6.1)',
    applies: (text) => /transfer-encoding:[ \t]*\r\n/i.test(text),
  },
  { reason: 'RTSP and ICE are other protocols than HTTP', applies: (text) => /(?:RTSP|ICE)\/\d/.test(text) },
];

/** @returns whether an engine's bytes end in a refusal of the request: a 400 that closes the connection */
export function isRefusal(wire: string): boolean {
  return /HTTP\/1\.1 400 [^\r\n]*\r\nConnection: close\r\n\r\n$/.test(wire);
}

/** @returns the reason why the engine may refuse what node accepted, if there is one */
export function mayRefuse(text: string): string | undefined {
  return STRICTER.find(({ applies }) => applies(text))?.reason;
}
