import { Role, fieldName, lookUp, type FieldName } from './field-names.js';
import { UNSAFE_VALUE, type FieldValue } from './field-value.js';
import { dropField, findField, putField, storedFields, valueIn } from './field-list.js';
import { kFields, kOctetsOutsideAscii, type EngineResponse, Life, kLife, messageOf } from '../message.js';
import { nodeResponse } from '../../node/classes.js';
import { becomeNode } from './become-node.js';
import http = require('node:http');

/**
 * Checks the value of a response field (RFC 9110 §5.5).
 *
 * @returns false if node's own code has to check the value
 * @throws {TypeError} node's ERR_INVALID_CHAR
 */
function isOrdinaryValue(res: EngineResponse, name: string, value: unknown): value is FieldValue {
  if (typeof value === 'string') {
    if (UNSAFE_VALUE.test(value)) {
      http.validateHeaderValue(name, value);
      // The response's, if this object inherits from it.
      (messageOf(res) as EngineResponse)[kOctetsOutsideAscii] = true;
    }
    return true;
  }
  if (typeof value === 'number') return true;
  if (!Array.isArray(value)) return false;
  for (const item of value as unknown[]) {
    if (typeof item !== 'string' || UNSAFE_VALUE.test(item)) return false;
  }
  return true;
}

/** A field that the framework reads or sets on most responses; its name is looked up once. */
export interface KnownField {
  readonly name: string;
  readonly field: FieldName;
}

export function knownField(name: string): KnownField {
  return { name, field: fieldName(name) };
}

/** {@link setKnown} for a value that the framework has made itself: visible ASCII. */
export function setMade(
  response: http.ServerResponse | EngineResponse,
  { name, field }: KnownField,
  value: string,
): void {
  const res = response as EngineResponse;
  if (mayPut(res)) putField(res, field, name, value);
  else res.setHeader(name, value);
}

/** Whether a field can be stored without `res.setHeader()`: that method is not replaced, and there is no head yet. */
function mayPut(res: EngineResponse): boolean {
  return res.setHeader === (setHeader as unknown) && res[kLife] === Life.Lean && res._header === null;
}

/** Calls `res.setHeader()` if it was replaced; otherwise sets the field without the lookup of the name. @throws {TypeError} ERR_INVALID_CHAR */
export function setKnown(
  response: http.ServerResponse | EngineResponse,
  { name, field }: KnownField,
  value: string,
): void {
  const res = response as EngineResponse;
  if (!mayPut(res)) res.setHeader(name, value);
  else if ((value !== field.repeated.value || value === '') && !isOrdinaryValue(res, name, value)) {
    nodeSetHeader(res, name, value);
  } else putField(res, field, name, value);
}

/** The same for `res.getHeader()`. */
export function getKnown(
  response: http.ServerResponse | EngineResponse,
  { name, field }: KnownField,
): FieldValue | undefined {
  const res = response as EngineResponse;
  if (res.getHeader !== (getHeader as unknown) || !res[kLife]) return res.getHeader(name);
  const fields = res[kFields];
  return fields === null ? undefined : valueIn(fields, field);
}

export function setHeader(this: EngineResponse, name: string, value: FieldValue): EngineResponse {
  if (this[kLife] !== Life.Lean || this._header !== null) return nodeSetHeader(this, name, value);
  const field = fieldName(name);
  // A value that has repeated is valid.
  if (value !== field.repeated.value || value === '') {
    if (field.role >= Role.Framing || !isOrdinaryValue(this, name, value)) return nodeSetHeader(this, name, value);
  }
  putField(this, field, name, value);
  return this;
}

function nodeSetHeader(res: EngineResponse, name: string, value: FieldValue): EngineResponse {
  becomeNode(res);
  nodeResponse.setHeader.call(res, name, value);
  return res;
}

function getHeader(this: EngineResponse, name: string): FieldValue | undefined {
  if (!this[kLife] || typeof name !== 'string') return nodeResponse.getHeader.call(this, name);
  const fields = this[kFields];
  return fields === null ? undefined : valueIn(fields, lookUp(name));
}

function hasHeader(this: EngineResponse, name: string): boolean {
  if (!this[kLife] || typeof name !== 'string') return nodeResponse.hasHeader.call(this, name);
  const fields = this[kFields];
  return fields !== null && findField(fields, lookUp(name)) >= 0;
}

function removeHeader(this: EngineResponse, name: string): void {
  if (this[kLife] !== Life.Lean || typeof name !== 'string' || this._header !== null) {
    becomeNode(this);
    nodeResponse.removeHeader.call(this, name);
    return;
  }
  switch (name.toLowerCase()) {
    case 'connection':
      this._removedConnection = true;
      break;
    case 'content-length':
      this._removedContLen = true;
      break;
    case 'transfer-encoding':
      this._removedTE = true;
      break;
    case 'date':
      this.sendDate = false;
      break;
  }
  const fields = this[kFields];
  if (fields !== null) dropField(fields, lookUp(name));
}

function getHeaderNames(this: EngineResponse): string[] {
  if (!this[kLife]) return nodeResponse.getHeaderNames.call(this);
  return storedFields(this).map(({ field }) => field.key);
}

function getRawHeaderNames(this: EngineResponse): string[] {
  if (!this[kLife]) return nodeResponse.getRawHeaderNames.call(this);
  return storedFields(this).map(({ name }) => name);
}

function getHeaders(this: EngineResponse): http.OutgoingHttpHeaders {
  if (!this[kLife]) return nodeResponse.getHeaders.call(this);
  const headers = Object.create(null) as Record<string, FieldValue>;
  for (const { field, value } of storedFields(this)) headers[field.key] = value;
  return headers as http.OutgoingHttpHeaders;
}

/** The engine's versions of node's methods for fields, by name. */
export const fieldMethods = {
  setHeader,
  getHeader,
  hasHeader,
  removeHeader,
  getHeaderNames,
  getRawHeaderNames,
  getHeaders,
};
