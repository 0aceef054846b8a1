import http = require('node:http');
import { inOnePiece, ownString } from '../../core/strings.js';

/** The meaning of a response field for its head. */
export const enum Role {
  None,
  Connection,
  ContentLength,
  Date,
  KeepAlive,
  /** Transfer-Encoding, Trailer, Expect: node's own code frames the message. */
  Framing,
  /** A name that objects sort first ("1"): node stores fields in an object, so its code must order them. */
  Integer,
}

/** The value of a field, as for `setHeader` and `getHeader`. */
export type FieldValue = string | number | readonly string[];

export interface FieldName {
  /** The name in lower case. */
  readonly key: string;
  readonly role: Role;
  /** There is one object for each name, so comparing addresses is enough. */
  readonly only: boolean;
  /** The last line that was sent, if it repeats. */
  readonly last: RepeatedLine;
}

/**
 * A field line that repeats: most fields of most programs (Content-Type, a policy, a tag) have one value. Its name and
 * value are known to be valid, and heads are joined from such lines. This saves 60 ns a field, and the intermediate
 * strings of a concatenation.
 */
export interface RepeatedLine {
  /** The name as written. */
  name: string;
  /** That with what stands between it and the value. */
  start: string;
  value: string;
  /** With its CRLF. */
  text: string;
  /** The value before: a line is kept when its value comes twice in a row, so that values that never repeat are not kept. */
  mark: number;
  /** The head in front of it, and both in one piece, if that repeats too. */
  before: string;
  joined: string;
  /** The last head in front of it: the piece is made when the same comes twice in a row. */
  seen: string;
  /** How many lines in a row were compared and had another value, up to {@link PATIENCE}. */
  others: number;
  /** How many of the next lines are not compared. */
  uncompared: number;
}

/**
 * After this many values in a row that do not repeat (a tag, an id), the next lines are not compared, then one is, and so on: a value is often a
 * concatenation, and comparing one copies it first. That was 1 % of a request whose entity tag differs.
 */
const PATIENCE = 64;
/** How many lines are not compared. */
const UNCOMPARED = 32;

const ROLES: Readonly<Record<string, Role>> = {
  connection: Role.Connection,
  'content-length': Role.ContentLength,
  date: Role.Date,
  'keep-alive': Role.KeepAlive,
  'transfer-encoding': Role.Framing,
  trailer: Role.Framing,
  expect: Role.Framing,
};

/** The maximum number of names to remember. Programs use a few dozen; names made from user input must not fill memory. */
const MOST_NAMES = 500;
const names = new Map<string, FieldName>();

/**
 * The facts about a field name: a lookup instead of validating and lower-casing the name of each field of each response.
 *
 * @throws {TypeError} node's ERR_INVALID_HTTP_TOKEN if the name is not a token (RFC 9110 §5.6.2)
 */
export function fieldName(name: string): FieldName {
  const known = names.get(name);
  if (known !== undefined) return known;
  http.validateHeaderName(name);
  const key = ownString(name.toLowerCase());
  const same = names.get(key);
  const role = /^\d+$/.test(key) ? Role.Integer : Object.hasOwn(ROLES, key) ? ROLES[key] : Role.None;
  const kept = names.size < MOST_NAMES && name.length <= 64;
  const made = same ?? newFieldName(key, role, kept);
  if (kept) {
    names.set(made.key, made);
    names.set(ownString(name), made);
  }
  return made;
}

/** The same to read a field. A name that is not a token is no error there: no field has it. */
export function lookUp(name: string): FieldName {
  try {
    return fieldName(name);
  } catch {
    return newFieldName(name.toLowerCase(), Role.None);
  }
}

/** A name that is not remembered yet. */
function newFieldName(key: string, role: Role, only = false): FieldName {
  return {
    key,
    role,
    only,
    last: {
      name: '',
      start: '',
      value: '',
      text: '',
      mark: -1,
      before: '',
      joined: '',
      seen: '',
      others: 0,
      uncompared: 0,
    },
  };
}

/** Longer values are not kept. */
const LONGEST_REPEATED = 256;

/**
 * Returns the line of a field, with its CRLF.
 *
 * @param value a valid value in ASCII
 */
export function fieldLine({ last }: FieldName, name: string, value: string): string {
  if (name !== last.name) respell(last, name);
  else if (last.uncompared > 0) {
    last.uncompared--;
    return last.start + value + '\r\n';
  } else if (value === last.value) {
    last.others = 0;
    return last.text;
  }
  const text = last.start + value + '\r\n';
  noteOther(last);
  const length = value.length;
  if (length === 0 || length > LONGEST_REPEATED) return text;
  const mark = (length << 16) ^ (value.charCodeAt(length >> 1) << 8) ^ value.charCodeAt(length - 1);
  if (mark === last.mark && !UNSAFE_VALUE.test(value)) {
    // Copies, because a part of a larger string would keep all of it alive.
    last.text = inOnePiece(text);
    last.value = inOnePiece(value);
    forgetHead(last);
  }
  last.mark = mark;
  return text;
}

/** Longer heads are not kept. */
const LONGEST_JOINED = 512;

/**
 * Puts a line that repeats behind a head that repeats: most heads of a program begin with the same lines, and are one string instead of a
 * concatenation of each line.
 *
 * @param head what the call for the line before returned, or a status line. Not a concatenation, which is slow to compare
 * @returns '' if the head or the line is another
 */
export function joinedHead(head: string, { last }: FieldName, name: string, value: string): string {
  if (name !== last.name || last.uncompared > 0 || value !== last.value) return '';
  if (head === last.before) return last.joined;
  if (head.length + last.text.length > LONGEST_JOINED) return '';
  if (head !== last.seen) {
    last.seen = head;
    return '';
  }
  last.before = head;
  last.joined = inOnePiece(head + last.text);
  return last.joined;
}

function noteOther(last: RepeatedLine): void {
  if (last.others < PATIENCE) last.others++;
  else last.uncompared = UNCOMPARED;
}

function forgetHead(last: RepeatedLine): void {
  last.before = last.joined = last.seen = '';
}

/** The line was spelt otherwise, or of another name that is not kept. */
function respell(last: RepeatedLine, name: string): void {
  last.name = ownString(name);
  last.start = inOnePiece(`${name}: `);
  last.value = '';
  last.text = last.start + '\r\n';
  last.mark = -1;
  last.others = 0;
  last.uncompared = 0;
  forgetHead(last);
}

/** Matches any character except HTAB, SP and visible ASCII: node's code encodes obs-text and refuses the rest. */
export const UNSAFE_VALUE = /[^\t\x20-\x7e]/;
