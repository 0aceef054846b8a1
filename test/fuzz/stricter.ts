/** Input that the engine refuses on purpose although node takes it. Anything else it refuses or takes alone is a bug. */
export interface Stricter {
  readonly reason: string;
  /** Whether these bytes (latin1) are such input. */
  readonly applies: (text: string) => boolean;
}

export const STRICTER: readonly Stricter[] = [
  {
    reason: "a request line without a version, HTTP/0.9, is nobody's but an attacker's",
    applies: (text) => /(?:^|[\r\n\0 ])[A-Z-]+ [^ \r\n]*\r?\n/.test(text),
  },
  {
    reason: 'an extension without a name, `;;` or `;` alone, is none (RFC 9112 §7.1.1)',
    applies: (text) => /[0-9A-Fa-f];+(?:;|\r\n)/.test(text),
  },
  {
    reason: 'an empty Transfer-Encoding names no framing (RFC 9112 §6.1)',
    applies: (text) => /transfer-encoding:[ \t]*\r\n/i.test(text),
  },
  {
    reason: 'a Transfer-Encoding that does not end in chunked is refused before the handler; node calls it and aborts',
    applies: (text) => /transfer-encoding:(?![^\r\n]*chunked[ \t]*\r\n)/i.test(text),
  },
  { reason: 'RTSP and ICE are other protocols than HTTP', applies: (text) => /(?:RTSP|ICE)\/\d/.test(text) },
];

/** @returns the reason why the engine may refuse what node took, if there is one */
export function mayRefuse(text: string): string | undefined {
  return STRICTER.find(({ applies }) => applies(text))?.reason;
}
