import { inOnePiece, ownString } from '../../core/strings.js';
import { UNSAFE_VALUE } from './field-value.js';

/** Longer values are not kept. */
const LONGEST_REPEATED = 256;
/** Longer heads are not kept. */
const LONGEST_JOINED = 512;

/**
 * After this many values in a row that do not repeat (a tag, an id), the next lines are not compared, then one is, and so on: a value is often a
 * concatenation, and comparing one copies it first. That was 1 % of a request whose entity tag differs.
 */
const PATIENCE = 64;
/** How many lines are not compared. */
const UNCOMPARED = 32;

/**
 * The line of one field name that repeats: most fields of most programs (Content-Type, a policy, a tag) have one value. Its name and value are
 * known to be valid, and heads are joined from such lines. This saves 60 ns a field, and the intermediate strings of a concatenation.
 *
 * A value is kept when it comes twice in a row, and so is a head in front of the line: what never repeats is not kept.
 */
export class RepeatedLine {
  /** The value that has repeated, and is valid; empty if none has. */
  value = '';
  /** Its line, with CRLF. */
  private text = '';
  /** The name as it was written last, and the line up to the value. Another spelling begins anew. */
  private name = '';
  private start = '';
  /** A number of the length and of two octets of the last value. */
  private lastMark = -1;
  /** The head in front of the line that has repeated, and both in one piece; empty if none has. */
  private head = '';
  private joined = '';
  /** The last head in front of the line. */
  private lastHead = '';
  /** How many lines in a row were compared and had another value, up to {@link PATIENCE}. */
  private others = 0;
  /** How many of the next lines are not compared. */
  private uncompared = 0;

  /**
   * The line of a field, with its CRLF.
   *
   * @param value a valid value in ASCII
   */
  textOf(name: string, value: string): string {
    if (name !== this.name) this.respell(name);
    else if (this.uncompared > 0) {
      this.uncompared--;
      return this.start + value + '\r\n';
    } else if (value === this.value) {
      this.others = 0;
      return this.text;
    }
    const text = this.start + value + '\r\n';
    if (this.others < PATIENCE) this.others++;
    else this.uncompared = UNCOMPARED;
    const { length } = value;
    if (length !== 0 && length <= LONGEST_REPEATED) this.noteOther(value, text);
    return text;
  }

  /**
   * This line behind a head: most heads of a program begin with the same lines, and are one string instead of a concatenation of each line.
   *
   * @param head what the call for the line before returned, or a status line. Not a concatenation, which is slow to compare
   * @returns '' if the head or the line is another
   */
  joinTo(head: string, name: string, value: string): string {
    if (name !== this.name || this.uncompared > 0 || value !== this.value) return '';
    if (head === this.head) return this.joined;
    if (head.length + this.text.length > LONGEST_JOINED) return '';
    if (head !== this.lastHead) {
      this.lastHead = head;
      return '';
    }
    this.head = head;
    this.joined = inOnePiece(head + this.text);
    return this.joined;
  }

  /** Keeps another value if it was the last one, too. */
  private noteOther(value: string, text: string): void {
    const { length } = value;
    const mark = (length << 16) ^ (value.charCodeAt(length >> 1) << 8) ^ value.charCodeAt(length - 1);
    if (mark === this.lastMark && !UNSAFE_VALUE.test(value)) {
      // Copies, because a part of a larger string would keep all of it alive.
      this.text = inOnePiece(text);
      this.value = inOnePiece(value);
      this.forgetHead();
    }
    this.lastMark = mark;
  }

  private respell(name: string): void {
    this.name = ownString(name);
    this.start = inOnePiece(`${name}: `);
    this.value = '';
    this.text = this.start + '\r\n';
    this.lastMark = -1;
    this.others = 0;
    this.uncompared = 0;
    this.forgetHead();
  }

  private forgetHead(): void {
    this.head = this.joined = this.lastHead = '';
  }
}
