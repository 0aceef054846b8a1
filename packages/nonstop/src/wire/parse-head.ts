import { isOws } from './ascii.js';
import type { HeadLimits } from './limits.js';
import { KNOWN_METHODS } from './methods.js';
import { ownString } from '../core/strings.js';
import { Fact, noteField, type Framing } from './framing.js';

/** A request head as the fast reading leaves it: the field lines stay one text until somebody asks for them. */
export interface ParsedHead extends Framing {
  method: string;
  target: string;
  minor: number;
  /** Field lines as received, each with its CRLF, and the empty line behind them. */
  fieldLines: string;
}

// RFC 9112 §5 field lines up to the empty one. Sticky, one pass, and no alternative that backtracks over more than a line.
const FIELD_LINES = /(?:[!#$%&'*+\-.^_`|~0-9A-Za-z]+:[\t\x20-\x7e\x80-\xff]*\r\n)*\r\n/y;

/**
 * Reads the head that starts at `at`, if it is there to its end and in ordinary form: one space between the parts of the
 * request line, origin-form or `*`, HTTP/1.x. Everything else, well-formed or not, is the scanner's.
 *
 * @param text latin1 text of what arrived
 * @param into receives the head, and holds the last one of the connection. A client repeats its fields on each request;
 *   comparing 700 octets costs a tenth of reading them
 * @param limits beyond which the scanner has to count
 * @returns the index behind the head, or -1: incomplete, unusual or wrong, which the scanner tells apart
 */
export function parseHead(text: string, at: number, into: ParsedHead, limits: HeadLimits): number {
  const fieldsAt = parseRequestLine(text, at, into);
  if (fieldsAt === -1) return -1;
  const known = into.fieldLines;
  const knownEnd = fieldsAt + known.length;
  // `startsWith` would say the same ten times slower: V8 compares slices by memory, that one octet by octet.
  if (known !== '' && text.slice(fieldsAt, knownEnd) === known) {
    // What they said of the framing is still there.
    return knownEnd - at >= limits.octets ? -1 : knownEnd;
  }
  FIELD_LINES.lastIndex = fieldsAt;
  if (!FIELD_LINES.test(text)) return -1;
  const end = FIELD_LINES.lastIndex;
  if (end - at >= limits.octets) return -1;
  const section = text.slice(fieldsAt, end);
  into.fieldLines = '';
  into.facts = 0;
  into.contentLength = -1;
  const lines = noteFieldLines(section, into);
  if (lines === REFUSED || lines > limits.lines) return -1;
  into.fieldLines = section;
  return end;
}

const SPACE = 0x20;

/** RFC 9112 §3: `request-line = method SP request-target SP HTTP-version`. Returns the index behind its CRLF, or -1. */
function parseRequestLine(text: string, at: number, into: ParsedHead): number {
  const methodEnd = text.indexOf(' ', at);
  if (methodEnd === -1) return -1;
  const method = knownMethod(text, at, methodEnd);
  if (method === undefined) return -1;
  const start = methodEnd + 1;
  const first = text.charCodeAt(start);
  if (first !== 0x2f && first !== 0x2a) return -1;
  let end = start + 1;
  for (let c = text.charCodeAt(end); c !== SPACE; c = text.charCodeAt(++end)) {
    // Also ends the loop behind the last octet, where `c` is NaN.
    if (!(c > SPACE && c < 0x7f)) return -1;
  }
  const version = text.slice(end, end + 11);
  if (version === ' HTTP/1.1\r\n') into.minor = 1;
  else if (version === ' HTTP/1.0\r\n') into.minor = 0;
  else return -1;
  into.method = method;
  const target = text.slice(start, end);
  if (target !== into.target) into.target = ownString(target);
  return end + 11;
}

const METHODS = new Map([...KNOWN_METHODS].filter((method) => method !== 'CONNECT').map((method) => [method, method]));

/** The method between two indices, as the one string that stands for it everywhere. */
function knownMethod(text: string, at: number, end: number): string | undefined {
  // Letter by letter, for a slice is garbage.
  if (
    end - at === 3 &&
    text.charCodeAt(at) === 0x47 &&
    text.charCodeAt(at + 1) === 0x45 &&
    text.charCodeAt(at + 2) === 0x54
  )
    return 'GET';
  return METHODS.get(text.slice(at, end));
}

const REFUSED = -1;

/** Takes note of the lines that frame the message. Gives their number, or REFUSED where one is for the scanner to judge. */
function noteFieldLines(lines: string, into: Framing): number {
  let count = 0;
  for (let start = 0; start < lines.length - 2; count++) {
    const colon = lines.indexOf(':', start);
    const end = lines.indexOf('\r\n', colon);
    if (mayFrame(lines.charCodeAt(start), colon - start)) {
      const name = lines.slice(start, colon).toLowerCase();
      if (name === 'host') {
        into.facts |= Fact.Host;
      } else if (!note(into, name, lines.slice(colon + 1, end))) {
        return REFUSED;
      }
    }
    start = end + 2;
  }
  return count;
}

// Length and first letter rule out nearly every other field before its name is copied:
// host 4, expect 6, upgrade 7, connection 10, if-none-match 13, content-length 14, proxy-connection 16,
// transfer-encoding and if-modified-since 17.
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
    case 13:
      return (first | 0x20) === 0x69;
    case 17:
      return (first | 0x20) === 0x74 || (first | 0x20) === 0x69;
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
 * @param lines a well-formed field section, up to and with its empty line
 * @param ownNames the names are to be kept as well, and not only looked at; values are always strings of their own
 */
export function splitFieldLines(lines: string, ownNames: boolean): string[] {
  const fields: string[] = [];
  for (let start = 0; start < lines.length - 2;) {
    const colon = lines.indexOf(':', start);
    const end = lines.indexOf('\r\n', colon);
    let from = colon + 1;
    let to = end;
    while (from < to && isOws(lines.charCodeAt(from))) from++;
    while (to > from && isOws(lines.charCodeAt(to - 1))) to--;
    const name = lines.slice(start, colon);
    fields.push(ownNames ? ownString(name) : name, ownString(lines.slice(from, to)));
    start = end + 2;
  }
  return fields;
}
