import { FIELD_VALUE_CHAR, TCHAR } from './ascii.js';
import { WireError } from '../core/errors.js';
import { latin1 } from '../node/octets.js';
import { MANY_LINES, type HeadLimits } from './limits.js';
import { METHOD_PREFIXES, PREFACE_METHOD, isReadMethod } from './methods.js';
import { ownString, trimOwsEnd } from '../core/strings.js';
import type { HeadFacts } from './facts.js';
import { lineFault, nameFault, valueFault } from './field-faults.js';
import { noteField } from './framing.js';
import {
  checkBehindTarget,
  checkPreface,
  checkVersion,
  nextTargetPart,
  targetFault,
  type TargetPart,
} from './request-line.js';

const enum State {
  Start,
  Method,
  Target,
  AfterTarget,
  TargetLf,
  AfterTargetLf,
  BeforeVersion,
  Version,
  VersionCr,
  VersionLf,
  Preface,
  FieldStart,
  FieldName,
  ValueStart,
  Value,
  ValueLf,
  AfterValue,
  EndLf,
  Done,
}

const SP = 0x20;
const HTAB = 0x09;
const CR = 0x0d;
const LF = 0x0a;
const COLON = 0x3a;
const VALUE_RUN = /[\t\x20-\x7e\x80-\xff]+/y;
const NAME_RUN = /[!#$%&'*+\-.^_`|~0-9A-Za-z]+/y;
const PATH_RUN = /[\x21-\x7e]+/y;
/** A token of more pieces than this is copied into one. */
const MOST_PIECES = 64;

/**
 * Reads a request head (RFC 9112 §2.1), or the trailer section of a chunked body (§7.1.2), octet by octet.
 *
 * This is the plain parser: it can stop and continue at any octet, refuses the first octet that cannot be part of a
 * message, and names the error. `parse-head` is the fast parser for heads that arrive whole and in ordinary form. All
 * other heads come here, so every refusal comes from this file.
 */
export class HeadScanner implements HeadFacts {
  method = '';
  target = '';
  major = 1;
  minor = 1;
  /** Alternating names and values, as received. */
  readonly fields: string[] = [];
  facts = 0;
  contentLength = -1;

  private state: State;
  private targetPart: TargetPart = 'start';
  private readonly inTrailer: boolean;
  private token = '';
  private name = '';
  /** How many texts the tokens were made of. */
  private pieces = 0;
  private counted = 0;
  private readonly limits: HeadLimits;

  /**
   * @param limits a section beyond them is refused with HPE_HEADER_OVERFLOW
   * @param trailerOf the facts of the message whose trailer section this reads; undefined for a head
   */
  constructor(limits: HeadLimits, trailerOf?: HeadFacts) {
    this.limits = limits;
    this.inTrailer = trailerOf !== undefined;
    this.state = trailerOf === undefined ? State.Start : State.FieldStart;
    if (trailerOf !== undefined) this.facts = trailerOf.facts;
  }

  get done(): boolean {
    return this.state === State.Done;
  }

  /** Whether the head has {@link MANY_LINES}, counting a line from the end of its name on. */
  get isLong(): boolean {
    const lines = this.fields.length / 2;
    return (
      lines >= MANY_LINES || (lines === MANY_LINES - 1 && this.state >= State.ValueStart && this.state < State.EndLf)
    );
  }

  /** Whether only empty lines have arrived, which a server ignores (RFC 9112 §2.2). */
  get pristine(): boolean {
    return this.state === State.Start;
  }

  /**
   * Reads octets from `at` to the end of the section, at most `most` of them: if each of many small sections in a read decoded all that follows
   * it, the time would grow with the square of their number.
   *
   * @returns the index after the last octet read
   * @throws {WireError} at the first octet that cannot be part of a message
   */
  scanOctets(octets: Buffer, at: number, most: number): number {
    const { length } = octets;
    try {
      return at + this.scan(latin1(octets, at, Math.min(length, at + most)));
    } catch (error) {
      if (error instanceof WireError) {
        error.bytesParsed += at;
        if (error.code === 'HPE_HEADER_OVERFLOW')
          error.bytesParsed += this.restOfSpan(latin1(octets, error.bytesParsed, length));
      }
      throw error;
    }
  }

  /** {@link scanOctets} for octets that are text already. @returns the number of octets read */
  scan(text: string): number {
    let i = 0;
    try {
      while (i < text.length && this.state !== State.Done) {
        const run = this.takeRun(text, i);
        if (run === 0) {
          this.step(text.charCodeAt(i), text[i]);
          i++;
        } else i += run;
      }
    } catch (error) {
      if (error instanceof WireError) error.bytesParsed += i;
      throw error;
    }
    return i;
  }

  /** Skips octets that do not change the state in one step: 40 times faster for a long value. */
  private takeRun(text: string, at: number): number {
    const pattern = this.runPattern();
    if (pattern === null) return 0;
    pattern.lastIndex = at;
    if (!pattern.test(text)) return 0;
    // Stops before the limit: the single step refuses the octet that reaches it.
    const room = this.limits.octets - this.counted - 1;
    const length = Math.min(pattern.lastIndex - at, room);
    if (length <= 0) return 0;
    this.add(text.slice(at, at + length));
    this.counted += length;
    return length;
  }

  private runPattern(): RegExp | null {
    if (this.state === State.Value) return VALUE_RUN;
    if (this.state === State.FieldName) return NAME_RUN;
    return this.state === State.Target && this.targetPart === 'path' ? PATH_RUN : null;
  }

  /**
   * How far a target, name or value that is too long goes on. llhttp refuses it as a whole, so all of it counts as
   * parsed.
   *
   * @param rest latin1 text from the octet at fault to the end of what arrived
   */
  private restOfSpan(rest: string): number {
    const inTarget = this.state === State.Target;
    const end = rest.search(inTarget ? /[ \r]/ : this.state === State.Value ? /[^\t\x20-\x7e\x80-\xff]/ : /[^!-9;-~]/);
    if (end === -1) return rest.length;
    // The colon or CR after a name or value counts with it.
    return inTarget || (rest[end] !== '\r' && rest[end] !== ':') ? end : end + 1;
  }

  // Reads one octet. The states are in the order of a message; each accepts or refuses the octet.
  private step(c: number, char: string): void {
    switch (this.state) {
      case State.Start:
        if (c === CR || c === LF) return;
        this.state = State.Method;
        this.methodChar(c, char);
        return;
      case State.Method:
        this.methodChar(c, char);
        return;
      case State.Target:
        this.targetChar(c, char);
        return;
      case State.AfterTarget:
      case State.BeforeVersion:
        this.beforeVersion(c, char);
        return;
      case State.Version:
        this.versionChar(char);
        return;
      case State.VersionCr:
        if (c !== CR) throw new WireError('HPE_INVALID_VERSION', 'Expected CRLF after version', c === LF ? 1 : 0);
        this.state = State.VersionLf;
        return;
      case State.TargetLf:
        if (c !== LF) throw new WireError('HPE_INVALID_URL', 'Expected CRLF');
        this.state = State.AfterTargetLf;
        return;
      case State.AfterTargetLf:
        checkBehindTarget(c);
        this.fieldStart(c, char);
        return;
      case State.VersionLf:
        if (c !== LF) throw new WireError('HPE_STRICT', 'Expected CRLF after version');
        this.state = State.FieldStart;
        return;
      case State.Preface:
        this.token += char;
        checkPreface(this.token);
        return;
      default:
        this.fieldChar(c, char);
    }
  }

  private methodChar(c: number, char: string): void {
    if (c === SP && isReadMethod(this.token)) {
      this.method = this.token;
      this.token = '';
      this.state = State.Target;
      return;
    }
    this.token += char;
    if (METHOD_PREFIXES.has(this.token)) return;
    if (isReadMethod(this.token.slice(0, -1))) {
      throw new WireError('HPE_INVALID_METHOD', 'Expected space after method');
    }
    throw new WireError('HPE_INVALID_METHOD', 'Invalid method encountered');
  }

  private beforeVersion(c: number, char: string): void {
    if (this.state === State.AfterTarget) checkBehindTarget(c);
    this.state = c === SP ? State.BeforeVersion : State.Version;
    if (c !== SP) this.versionChar(char);
  }

  private targetChar(c: number, char: string): void {
    const part = this.targetPart;
    if (c === SP && part === 'start') return;
    // A request line without a version (HTTP/0.9) ends in CRLF. A bare LF is refused, and so is HTTP/2's preface.
    const ends = c === SP || (c === CR && this.method !== PREFACE_METHOD);
    if (ends && part !== 'start' && !part.startsWith('schema')) {
      this.target = ownString(this.token);
      this.token = '';
      this.state = State.AfterTarget;
      if (c === CR) {
        // A request line without a version is HTTP/0.9, which llhttp and node accept.
        this.major = 0;
        this.minor = 9;
        this.state = State.TargetLf;
      }
      return;
    }
    const next = nextTargetPart(part, c, this.method === 'CONNECT');
    if (next === undefined) throw targetFault(part, c, this.token, this.method);
    this.targetPart = next;
    this.take(char);
  }

  private versionChar(char: string): void {
    this.token += char;
    if (!checkVersion(this.token, this.method)) return;
    this.major = this.token.charCodeAt(5) - 0x30;
    this.minor = this.token.charCodeAt(7) - 0x30;
    this.token = '';
    this.state = this.method === PREFACE_METHOD ? State.Preface : State.VersionCr;
  }

  // RFC 9112 §5: `field-line = field-name ":" OWS field-value OWS`, no space before the colon, no line folding.
  private fieldChar(c: number, char: string): void {
    switch (this.state) {
      case State.FieldStart:
        this.fieldStart(c, char);
        return;
      case State.FieldName:
        if (c === COLON) {
          this.name = this.token;
          this.token = '';
          this.state = State.ValueStart;
        } else if (TCHAR[c]) this.take(char);
        else throw nameFault(this.token, c);
        return;
      case State.ValueStart:
        if (c === SP || c === HTAB) return;
        this.state = State.Value;
        this.valueChar(c, char);
        return;
      case State.Value:
        this.valueChar(c, char);
        return;
      case State.ValueLf:
        if (c !== LF) throw lineFault(this.token);
        this.state = State.AfterValue;
        return;
      case State.AfterValue:
        if (c === SP || c === HTAB) {
          // obs-fold (RFC 9112 §5.2) is refused: a second reading of where a field ends allows request smuggling.
          throw this.token === ''
            ? new WireError('HPE_INVALID_HEADER_TOKEN', 'Invalid header value char', 1)
            : new WireError('HPE_INVALID_HEADER_TOKEN', 'Unexpected whitespace after header value');
        }
        this.endField();
        this.fieldStart(c, char);
        return;
      default:
        if (c !== LF) throw new WireError('HPE_STRICT', 'Expected LF after headers');
        this.state = State.Done;
    }
  }

  private fieldStart(c: number, char: string): void {
    if (c === CR) {
      this.state = State.EndLf;
    } else if (TCHAR[c]) {
      if (this.fields.length >> 1 >= this.limits.lines) throw new WireError('HPE_HEADER_OVERFLOW', 'Header overflow');
      this.state = State.FieldName;
      this.take(char);
    } else if (c === LF) {
      throw new WireError('HPE_INVALID_HEADER_TOKEN', 'Invalid header field char', 1);
    } else if (c === SP && this.fields.length === 0 && !this.inTrailer) {
      throw new WireError('HPE_UNEXPECTED_SPACE', 'Unexpected space after start line', 1);
    } else {
      throw new WireError('HPE_INVALID_HEADER_TOKEN', 'Invalid header token');
    }
  }

  private valueChar(c: number, char: string): void {
    if (c === CR) this.state = State.ValueLf;
    else if (FIELD_VALUE_CHAR[c]) this.take(char);
    else throw valueFault(this.name, this.token, c);
  }

  private endField(): void {
    noteField(this, this.name.toLowerCase(), this.token);
    this.fields.push(ownString(this.name), ownString(trimOwsEnd(this.token)));
    this.token = '';
  }

  /** V8 keeps a sum of texts as a tree with a node of 32 octets for each: a client that sends octets one by one would take 33 times their number. */
  private add(text: string): void {
    this.token += text;
    if (++this.pieces % MOST_PIECES === 0) this.token = ownString(this.token);
  }

  private take(char: string): void {
    this.add(char);
    // Counted as llhttp does: target, names and values with their trailing whitespace, without delimiters.
    if (++this.counted >= this.limits.octets) throw new WireError('HPE_HEADER_OVERFLOW', 'Header overflow');
  }
}
