import { MAX_FIELD_LINES } from '../core/limits.js';
import { KNOWN_METHODS } from '../core/methods-known.js';
import { Fact, noteField, type Framing } from './framing.js';

/** A request head as the fast reading leaves it: the field lines stay one text until somebody asks for them. */
export interface ParsedHead extends Framing {
  method: string;
  target: string;
  minor: number;
  /** Field lines as received, each with its CRLF. */
  fieldLines: string;
}

// RFC 9112 §3: `request-line = method SP request-target SP HTTP-version`, in the form that clients send: one space,
// origin-form or `*`, HTTP/1.x; then §5 field lines up to the empty one. Sticky, one pass, no alternative that backtracks
// over more than a line. Everything else, well-formed or not, is the scanner's.
const HEAD = new RegExp(
  `(${[...KNOWN_METHODS].filter((method) => method !== 'CONNECT').join('|')}) ([/*][\\x21-\\x7e]*) HTTP/1\\.([01])\\r\\n` +
    "((?:[!#$%&'*+\\-.^_`|~0-9A-Za-z]+:[\\t\\x20-\\x7e\\x80-\\xff]*\\r\\n)*)\\r\\n",
  'y',
);

/**
 * Reads the head that starts at `at`, if it is there to its end and in ordinary form.
 *
 * @param text latin1 text of what arrived
 * @param limit octets of target, names and values before the scanner has to count them
 * @param into receives the head
 * @returns the index behind the head, or -1: incomplete, unusual or wrong, which the scanner tells apart
 */
export function parseHead(text: string, at: number, limit: number, into: ParsedHead): number {
  HEAD.lastIndex = at;
  const match = HEAD.exec(text);
  if (match === null) return -1;
  const end = HEAD.lastIndex;
  if (end - at >= limit) return -1;
  into.method = match[1];
  into.target = match[2];
  into.minor = match[3] === '1' ? 1 : 0;
  into.fieldLines = match[4];
  into.facts = 0;
  into.contentLength = -1;
  return noteFieldLines(match[4], into) ? end : -1;
}

/** Takes note of the lines that frame the message; false where one of them is for the scanner to refuse. */
function noteFieldLines(lines: string, into: Framing): boolean {
  let count = 0;
  for (let start = 0; start < lines.length; count++) {
    const colon = lines.indexOf(':', start);
    const end = lines.indexOf('\r\n', colon);
    if (mayFrame(lines.charCodeAt(start), colon - start)) {
      const name = lines.slice(start, colon).toLowerCase();
      if (name === 'host') {
        into.facts |= Fact.Host;
      } else if (!note(into, name, lines.slice(colon + 1, end))) {
        return false;
      }
    }
    start = end + 2;
  }
  return count <= MAX_FIELD_LINES;
}

// Length and first letter rule out nearly every other field before its name is copied:
// host 4, expect 6, upgrade 7, connection 10, content-length 14, proxy-connection 16, transfer-encoding 17.
function mayFrame(first: number, length: number): boolean {
  switch (length) {
    case 4:
      return (first | 0x20) === 0x68;
    case 6:
      return (first | 0x20) === 0x65;
    case 7:
      return (first | 0x20) === 0x75;
    case 10:
    case 14:
      return (first | 0x20) === 0x63;
    case 16:
      return (first | 0x20) === 0x70;
    case 17:
      return (first | 0x20) === 0x74;
    default:
      return false;
  }
}

function note(into: Framing, name: string, afterColon: string): boolean {
  let start = 0;
  while (isOws(afterColon.charCodeAt(start))) start++;
  try {
    noteField(into, name, start === 0 ? afterColon : afterColon.slice(start));
    return true;
  } catch {
    return false;
  }
}

/**
 * Splits field lines into names and values in turn, as `IncomingMessage.rawHeaders` has them.
 *
 * @param lines well-formed field lines, each with its CRLF
 * @param most how many lines to keep
 */
export function splitFieldLines(lines: string, most: number): string[] {
  const fields: string[] = [];
  for (let start = 0; start < lines.length && fields.length < most * 2;) {
    const colon = lines.indexOf(':', start);
    const end = lines.indexOf('\r\n', colon);
    let from = colon + 1;
    let to = end;
    while (from < to && isOws(lines.charCodeAt(from))) from++;
    while (to > from && isOws(lines.charCodeAt(to - 1))) to--;
    fields.push(lines.slice(start, colon), lines.slice(from, to));
    start = end + 2;
  }
  return fields;
}

function isOws(c: number): boolean {
  return c === 0x20 || c === 0x09;
}
