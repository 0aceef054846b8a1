import http = require('node:http');
import { ownString } from '../../core/strings.js';
import { RepeatedLine } from './repeated-line.js';

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

export interface FieldName {
  /** The name in lower case. */
  readonly key: string;
  readonly role: Role;
  /** There is one object for each name, so comparing addresses is enough. */
  readonly only: boolean;
  /** The line of this name that most heads have. */
  readonly repeated: RepeatedLine;
}

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
  return { key, role, only, repeated: new RepeatedLine() };
}
