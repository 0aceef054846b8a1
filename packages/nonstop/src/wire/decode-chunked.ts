import { FIELD_VALUE_CHAR, TCHAR } from './ascii.js';
import { WireError } from '../core/errors.js';
import { MAX_CHUNK_EXTENSIONS, type HeadLimits } from './limits.js';
import type { HeadFacts } from './facts.js';
import { HeadScanner } from './scan-head.js';

const enum State {
  SizeStart,
  Size,
  SizeLf,
  ExtensionStart,
  ExtensionName,
  ExtensionValue,
  ExtensionQuoted,
  ExtensionEscape,
  ExtensionAfterQuoted,
  Data,
  DataCr,
  DataLf,
  Trailer,
  Done,
}

const HTAB = 0x09;
const SP = 0x20;
const CR = 0x0d;
const LF = 0x0a;
const SEMICOLON = 0x3b;
const EQUALS = 0x3d;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** How much of a read is first decoded as text: most trailer sections are shorter. */
const TRAILER_WINDOW = 256;
const SIZE_FAULT = 'Invalid character in chunk size';

/**
 * Decodes the chunked transfer coding (RFC 9112 §7.1); outside chunk data each octet is one step of a state machine.
 * Strict: CRLF only, no whitespace around the size, no sign, no prefix, extensions of limited length. Each of these has
 * allowed request smuggling in some server.
 */
export class ChunkedDecoder {
  /** Alternating names and values of the trailer section, when the body is complete. */
  trailers: string[] = [];

  private state: State = State.SizeStart;
  private remaining = 0;
  private extensionOctets = 0;
  private lastChunk = false;
  private readonly trailerScanner: HeadScanner;

  /** @param message the facts of the message: a trailer must not change its framing; @param limits as for a head */
  constructor(message: HeadFacts, limits: HeadLimits) {
    this.trailerScanner = new HeadScanner(limits, message);
  }

  /** The facts of the message, including its trailer section. */
  get facts(): number {
    return this.trailerScanner.facts;
  }

  get done(): boolean {
    return this.state === State.Done;
  }

  /**
   * Reads `octets` from `at` on, up to the data of a chunk or the end of the body.
   *
   * @returns the index behind the last octet read
   * @throws {WireError} at the first octet that the coding does not allow
   */
  decode(octets: Buffer, at: number): number {
    let i = at;
    const { length } = octets;
    try {
      while (i < length && this.state !== State.Data && this.state !== State.Done) {
        if (this.state === State.Trailer) {
          i = this.scanTrailer(octets, i);
        } else {
          this.step(octets[i]);
          i++;
        }
      }
    } catch (error) {
      // The scanner of the trailer section has set the position.
      if (error instanceof WireError && this.state !== State.Trailer) error.bytesParsed += i;
      throw error;
    }
    return i;
  }

  /** Takes what is data of a chunk of the octets from `at` to `length`. @returns the index behind it; `at` if other octets are next */
  takeData(at: number, length: number): number {
    if (this.state !== State.Data) return at;
    const end = Math.min(length, at + this.remaining);
    this.remaining -= end - at;
    if (this.remaining === 0) this.state = State.DataCr;
    return end;
  }

  private scanTrailer(chunk: Buffer, at: number): number {
    const scanner = this.trailerScanner;
    const end = scanner.scanOctets(chunk, at, TRAILER_WINDOW);
    if (scanner.done) {
      this.trailers = scanner.fields;
      this.state = State.Done;
    }
    return end;
  }

  private step(c: number): void {
    switch (this.state) {
      case State.SizeStart:
        this.remaining = 0;
        this.extensionOctets = 0;
        this.size(c, hexValue(c) >= 0);
        this.state = State.Size;
        return;
      case State.Size:
        if (c === CR) this.state = State.SizeLf;
        else if (c === SEMICOLON) this.state = State.ExtensionStart;
        else if (c === LF) throw new WireError('HPE_CR_EXPECTED', 'Missing expected CR after chunk size', 1);
        else if (c === SP || c === HTAB) throw new WireError('HPE_INVALID_CHUNK_SIZE', SIZE_FAULT, 1);
        else this.size(c, hexValue(c) >= 0);
        return;
      case State.SizeLf:
        if (c !== LF) throw new WireError('HPE_STRICT', 'Expected LF after chunk size');
        this.lastChunk = this.remaining === 0;
        this.state = this.lastChunk ? State.Trailer : State.Data;
        return;
      case State.DataCr:
        if (c === LF) throw new WireError('HPE_CR_EXPECTED', 'Missing expected CR after chunk data', 1);
        if (c !== CR) throw new WireError('HPE_STRICT', 'Expected LF after chunk data');
        this.state = State.DataLf;
        return;
      case State.DataLf:
        if (c !== LF) throw new WireError('HPE_STRICT', 'Expected LF after chunk data');
        this.state = State.SizeStart;
        return;
      default:
        this.extension(c);
    }
  }

  private size(c: number, isHex: boolean): void {
    if (!isHex) throw new WireError('HPE_INVALID_CHUNK_SIZE', SIZE_FAULT);
    this.remaining = this.remaining * 16 + hexValue(c);
    // Above 2^53 the count is not exact; no connection transfers that much.
    if (this.remaining >= 2 ** 64) throw new WireError('HPE_INVALID_CHUNK_SIZE', 'Chunk size overflow');
  }

  // RFC 9112 §7.1.1: `chunk-ext = *( ";" token [ "=" ( token / quoted-string ) ] )`, without the bad whitespace.
  private extension(c: number): void {
    if (c !== CR && ++this.extensionOctets > MAX_CHUNK_EXTENSIONS) {
      throw new WireError('HPE_CHUNK_EXTENSIONS_OVERFLOW', 'Chunk extensions overflow');
    }
    switch (this.state) {
      case State.ExtensionStart:
        // llhttp accepts an extension without a name ("5;;a", "5;=b"), but not an empty one at the end of the line.
        if (c === CR || c === SP) throw new WireError('HPE_STRICT', 'Invalid character in chunk extensions', 1);
        this.state = State.ExtensionName;
        this.extensionName(c);
        return;
      case State.ExtensionName:
        this.extensionName(c);
        return;
      case State.ExtensionValue:
        if (TCHAR[c]) return;
        if (c === QUOTE) this.state = State.ExtensionQuoted;
        else this.endExtension(c, 'value');
        return;
      // RFC 9110 §5.6.4: of the octets of a field value, each is allowed here, or behind a backslash.
      case State.ExtensionQuoted:
        if (c === QUOTE) this.state = State.ExtensionAfterQuoted;
        else if (c === BACKSLASH) this.state = State.ExtensionEscape;
        else if (!FIELD_VALUE_CHAR[c])
          throw new WireError('HPE_STRICT', 'Invalid character in chunk extensions quoted value', 1);
        return;
      case State.ExtensionEscape:
        if (!FIELD_VALUE_CHAR[c])
          throw new WireError('HPE_STRICT', 'Invalid quoted-pair in chunk extensions quoted value', 1);
        this.state = State.ExtensionQuoted;
        return;
      default:
        this.endExtension(c, c === LF ? 'value' : 'quote value');
    }
  }

  private extensionName(c: number): void {
    if (TCHAR[c]) return;
    if (c === EQUALS) this.state = State.ExtensionValue;
    else this.endExtension(c, 'name');
  }

  private endExtension(c: number, part: string): void {
    if (c === CR) this.state = State.SizeLf;
    else if (c === SEMICOLON) this.state = State.ExtensionStart;
    else if (c === LF) throw new WireError('HPE_CR_EXPECTED', `Missing expected CR after chunk extension ${part}`);
    else
      throw new WireError(
        'HPE_STRICT',
        `Invalid character in chunk extensions ${part}`,
        part === 'quote value' ? 0 : 1,
      );
  }
}

function hexValue(c: number): number {
  if (c >= 0x30 && c <= 0x39) return c - 0x30;
  const letter = c | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
