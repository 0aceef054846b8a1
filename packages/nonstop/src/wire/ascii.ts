/** RFC 9110 §5.6.2: `token = 1*tchar`. Indexed by octet; 1 where the octet is a tchar. */
export const TCHAR: Uint8Array = table("!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");

/** RFC 9110 §5.5: field-vchar, SP and HTAB. Any other octet in a value could smuggle in a line. */
export const FIELD_VALUE_CHAR: Uint8Array = octetsWhere((c) => c === 0x09 || (c >= 0x20 && c !== 0x7f));

/** The octets that llhttp (strict) accepts in path, query and fragment of a request target: visible ASCII. */
export const TARGET_CHAR: Uint8Array = octetsWhere((c) => c > 0x20 && c < 0x7f);

/** RFC 3986 §3.2: the octets of an authority, with the brackets of an IP literal. */
export const AUTHORITY_CHAR: Uint8Array = table(
  "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_.!~*'()%;:&=+$,[]",
);

export function isAlpha(c: number): boolean {
  return (c | 0x20) >= 0x61 && (c | 0x20) <= 0x7a;
}

export function trimSpaceEnd(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 0x20) end--;
  return end === text.length ? text : text.slice(0, end);
}

function table(chars: string): Uint8Array {
  const set = new Uint8Array(256);
  for (let i = 0; i < chars.length; i++) set[chars.charCodeAt(i)] = 1;
  return set;
}

function octetsWhere(has: (octet: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, octet) => (has(octet) ? 1 : 0));
}
