import http = require('node:http');
import { ownString } from '../../core/strings.js';

/** What a response field means to the head that carries it. */
export const enum Role {
  None,
  Connection,
  ContentLength,
  Date,
  KeepAlive,
  ContentDisposition,
  /** Transfer-Encoding, Trailer, Expect: the message is framed by node's own code. */
  Framing,
  /** A name that JavaScript objects would sort first ("1"): node keeps fields in an object, so its code must place it. */
  Integer,
}

/** Value of a field as `setHeader` takes it and `getHeader` gives it back. */
export type FieldValue = string | number | readonly string[];

export interface FieldName {
  /** The name in lower case. */
  readonly key: string;
  readonly role: Role;
  /** It is the only object for its name, so that comparing addresses is enough. */
  readonly only: boolean;
  /** The line that was sent last, where it is one that repeats. */
  readonly last: RepeatedLine;
}

/**
 * A field line that answers repeat: most fields of most programs (Content-Type, a policy, a tag) have one value. Its name
 * and value are known to be well-formed, and the line is one text that heads are put together of. That saves 60 ns a field,
 * and of its garbage the strings that a concatenation leaves between its parts.
 */
export interface RepeatedLine {
  /** As it was spelt. */
  name: string;
  /** That with what stands between it and the value. */
  start: string;
  value: string;
  /** With its CRLF. */
  text: string;
  /** Of the value before: a line is kept when its value comes for the second time in turn, so that values which never repeat are not. */
  mark: number;
}

const ROLES: Readonly<Record<string, Role>> = {
  connection: Role.Connection,
  'content-length': Role.ContentLength,
  date: Role.Date,
  'keep-alive': Role.KeepAlive,
  'content-disposition': Role.ContentDisposition,
  'transfer-encoding': Role.Framing,
  trailer: Role.Framing,
  expect: Role.Framing,
};

/** Distinct names remembered. Programs use a few dozen; a name made from user input must not fill memory. */
const MOST_NAMES = 500;
const names = new Map<string, FieldName>();

/**
 * What is known of a field name; a look-up instead of a validation and a lower-casing for each field of each response.
 *
 * @throws {TypeError} ERR_INVALID_HTTP_TOKEN, node's own, where the name is not a token (RFC 9110 §5.6.2)
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

/** A name that nothing is known of yet. */
export function newFieldName(key: string, role: Role, only = false): FieldName {
  return { key, role, only, last: { name: '', start: '', value: '', text: '', mark: -1 } };
}

/** Values longer than this are not worth their memory. */
const LONGEST_REPEATED = 256;

/**
 * The line of a field, with its CRLF.
 *
 * @param value well-formed, in ASCII
 */
export function fieldLine({ last }: FieldName, name: string, value: string): string {
  if (name === last.name) {
    if (value === last.value) return last.text;
  } else respell(last, name);
  const text = last.start + value + '\r\n';
  const length = value.length;
  if (length === 0 || length > LONGEST_REPEATED) return text;
  const mark = (length << 16) ^ (value.charCodeAt(length >> 1) << 8) ^ value.charCodeAt(length - 1);
  if (mark === last.mark && !UNSAFE_VALUE.test(value)) {
    // Copies: a part of a larger string would keep all of that alive.
    last.text = Buffer.from(text, 'latin1').toString('latin1');
    last.value = Buffer.from(value, 'latin1').toString('latin1');
  }
  last.mark = mark;
  return text;
}

/** The line was spelt otherwise, or of another name that is not kept. */
function respell(last: RepeatedLine, name: string): void {
  last.name = ownString(name);
  last.start = Buffer.from(`${name}: `, 'latin1').toString('latin1');
  last.value = '';
  last.text = last.start + '\r\n';
  last.mark = -1;
}

/** Anything but HTAB, SP and visible ASCII: obs-text is allowed but node's to encode, the rest is refused. */
export const UNSAFE_VALUE = /[^\t\x20-\x7e]/;
