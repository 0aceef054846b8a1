import http = require('node:http');
import { ownString } from '../../core/own-string.js';

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
  return { key, role, only, last: { name: '', value: '', text: '', mark: -1 } };
}
