import { MANY_LINES, type HeadLimits } from './limits.js';
import { KNOWN_METHODS } from './methods.js';
import { isOws, ownString, trimOwsStart } from '../core/strings.js';
import { Fact, type HeadFacts } from './facts.js';
import { NAMES_WITH_FACTS, noteField } from './framing.js';

/** A request head from the fast parser. The field lines stay one text until they are read. */
export interface ParsedHead extends HeadFacts {
  method: string;
  target: string;
  minor: number;
  /** Field lines as received, each with its CRLF, and the empty line after them. */
  fieldLines: string;
  /**
   * The field lines that the client sends with each request, as far as is known: those of the last two heads if they seemed the same, otherwise empty.
   * They are compared and not parsed. Lines that differ from request to request are not kept: on each connection they would survive a small
   * collection, and V8 enlarges the new space for survivors.
   */
  repeated: string;
  /** {@link markOf} the last lines. */
  mark: number;
  /** How often {@link repeated} lines did not come again. */
  misses: number;
}

// RFC 9112 §5: field lines up to the empty line. Sticky, one pass; it backtracks over one line at most. Visible ASCII has
// a loop of its own, because comparing with one range is a tenth to a fifth faster than with three. The rest of a value is
// one loop, not a loop of groups: V8 keeps a place to go back to for each group, so 8 MB of such octets would be an error.
const FIELD_LINES = /(?:[!#$%&'*+\-.^_`|~0-9A-Za-z]+:[\x20-\x7e]*(?:[\t\x80-\xff][\t\x20-\x7e\x80-\xff]*)?\r\n)*\r\n/y;

/**
 * Parses the head that starts at `at`, if it is complete and in ordinary form: one space between the parts of the request
 * line, origin-form or `*`, HTTP/1.x. All other heads, valid or not, are left to the scanner.
 *
 * @param text the received octets as latin1 text
 * @param into receives the head; it still has the connection's last head. A client repeats its fields in each request, and
 *   comparing 700 octets costs a tenth of parsing them
 * @param limits the scanner counts exactly when the head comes near them
 * @returns the index after the head; -1 if the head is incomplete, unusual or wrong: the scanner decides which
 */
export function parseHead(text: string, at: number, into: ParsedHead, limits: HeadLimits): number {
  const fieldsAt = parseRequestLine(text, at, into);
  if (fieldsAt === -1) return -1;
  const { repeated } = into;
  const repeatedEnd = fieldsAt + repeated.length;
  // `startsWith` is ten times slower: it compares octet by octet, while V8 compares slices by memory.
  if (repeated !== '' && text.slice(fieldsAt, repeatedEnd) === repeated) {
    // The facts of the last head are still valid.
    into.fieldLines = repeated;
    return repeatedEnd - at >= limits.octets ? -1 : repeatedEnd;
  }
  FIELD_LINES.lastIndex = fieldsAt;
  if (!FIELD_LINES.test(text)) return -1;
  const end = FIELD_LINES.lastIndex;
  if (end - at >= limits.octets) return -1;
  const section = text.slice(fieldsAt, end);
  if (repeated !== '') into.misses++;
  into.repeated = '';
  into.facts = 0;
  into.contentLength = -1;
  const lines = noteFieldLines(section, into);
  if (lines === REFUSED || lines > limits.lines) return -1;
  if (lines >= MANY_LINES) into.facts |= Fact.ManyLines;
  into.fieldLines = section;
  if (into.misses < MOST_MISSES) remember(section, into);
  return end;
}

/** After this many misses the lines of a connection are no longer kept. */
const MOST_MISSES = 4;

/** Keeps a copy of the lines for comparison if they look like those before: with the lines themselves an idle connection would keep a body too. */
function remember(lines: string, into: ParsedHead): void {
  const mark = markOf(lines);
  if (mark === into.mark) into.fieldLines = into.repeated = ownString(lines);
  else into.mark = mark;
}

/** A number of their length and of 15 of their octets. */
function markOf(lines: string): number {
  const { length } = lines;
  let mark = length;
  for (let i = 1; i < 16; i++) mark = (mark * 31 + lines.charCodeAt((length * i) >> 4)) | 0;
  return mark;
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
    // Also ends the loop after the last octet, where `c` is NaN.
    if (!(c > SPACE && c < 0x7f)) return -1;
    // A regular expression takes a third of the time for many octets, and longer for few.
    if (end - start === MANY_OCTETS) end = endOfRun(text, end);
  }
  const version = text.slice(end, end + 11);
  if (version === ' HTTP/1.1\r\n') into.minor = 1;
  else if (version === ' HTTP/1.0\r\n') into.minor = 0;
  else return -1;
  into.method = method;
  keepTarget(text.slice(start, end), into);
  return end + 11;
}

const MANY_OCTETS = 64;

const RUN = /[!-~]+/y;

/** The index of the last of the octets of a target that begin at an index. */
function endOfRun(text: string, at: number): number {
  RUN.lastIndex = at;
  RUN.test(text);
  return RUN.lastIndex - 1;
}

/** Keeps a copy of the target, if it is not the last one. Targets that differ mostly do so at their end, and comparing slices is a call. */
function keepTarget(target: string, into: ParsedHead): void {
  const { target: last } = into;
  const end = target.length - 1;
  if (last.length - 1 === end && last.charCodeAt(end) === target.charCodeAt(end) && last === target) return;
  into.target = ownString(target);
}

const METHODS = new Map([...KNOWN_METHODS].filter((method) => method !== 'CONNECT').map((method) => [method, method]));

/** The method between two indices, as its constant string. */
function knownMethod(text: string, at: number, end: number): string | undefined {
  // Compared letter by letter, because a slice would be garbage.
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

/** Collects the facts of the lines. Returns their number, or REFUSED if the scanner has to decide. */
function noteFieldLines(lines: string, into: HeadFacts): number {
  let count = 0;
  for (let start = 0; start < lines.length - 2; count++) {
    const lengths = LENGTHS[lines.charCodeAt(start) | 0x20];
    // A well-formed section has CR only in CRLF, and one character is found 4 ns sooner than two.
    const end = lines.indexOf('\r', start);
    if (lengths !== 0) {
      const colon = lines.indexOf(':', start);
      const length = colon - start;
      if (length < 32 && (lengths >> length) & 1) {
        // No other name with facts has four letters.
        if (length === HOST_LENGTH) {
          if (isHost(lines, start)) into.facts |= Fact.Host;
        } else {
          const name = lines.slice(start, colon).toLowerCase();
          if (!note(into, name, lines.slice(colon + 1, end))) return REFUSED;
        }
      }
    }
    start = end + 2;
  }
  return count;
}

/**
 * By the first letter of a field's name, in lower case: bit n is set if a name with n letters that begins so is one with facts. First letter
 * and length exclude nearly every other field before its name is copied.
 */
const LENGTHS = new Int32Array(256);
for (const name of NAMES_WITH_FACTS) LENGTHS[name.charCodeAt(0)] |= 1 << name.length;

const HOST_LENGTH = 4;

/** Whether a name of four letters that begins with H is that of Host. Letter by letter: nearly every request has it. */
function isHost(lines: string, start: number): boolean {
  return (
    (lines.charCodeAt(start + 1) | 0x20) === 0x6f &&
    (lines.charCodeAt(start + 2) | 0x20) === 0x73 &&
    (lines.charCodeAt(start + 3) | 0x20) === 0x74
  );
}

function note(into: HeadFacts, name: string, afterColon: string): boolean {
  try {
    noteField(into, name, trimOwsStart(afterColon));
    return true;
  } catch {
    return false;
  }
}

/**
 * Splits field lines into alternating names and values, as in `IncomingMessage.rawHeaders`.
 *
 * @param lines a well-formed field section, including its empty line
 * @param ownNames true: names are copied, so that keeping one does not keep the head alive. Values are always copied
 */
export function splitFieldLines(lines: string, ownNames: boolean): string[] {
  const fields: string[] = [];
  for (let start = 0; start < lines.length - 2;) {
    const colon = lines.indexOf(':', start);
    const end = lines.indexOf('\r', colon);
    const name = lines.slice(start, colon);
    fields.push(ownNames ? ownString(name) : name, ownValue(lines, colon + 1, end));
    start = end + 2;
  }
  return fields;
}

/** The value of a field line, from its colon to its CR, without the whitespace around it: a copy, which does not keep the head alive. */
export function ownValue(lines: string, afterColon: number, end: number): string {
  let from = afterColon;
  let to = end;
  while (from < to && isOws(lines.charCodeAt(from))) from++;
  while (to > from && isOws(lines.charCodeAt(to - 1))) to--;
  return ownString(lines.slice(from, to));
}
