import http = require('node:http');
import { UNSAFE_VALUE } from './field-values.js';
import { Role, fieldName } from './field-names.js';
import { kFields, kFieldsEnd, kOctetsOutsideAscii, type EngineResponse, type FieldValue } from '../message-types.js';
import { setHeader } from './fields.js';
import { storeHead } from './head.js';
import { becomeNode, nodeResponse } from './become-node.js';
import { Life, kLife } from '../message-life.js';

type WriteHeadHeaders = http.OutgoingHttpHeaders | undefined;

export function writeHead(
  this: EngineResponse,
  statusCode: number,
  reason?: unknown,
  headers?: unknown,
): EngineResponse {
  const given = (typeof reason === 'string' ? headers : (headers ?? reason)) as WriteHeadHeaders;
  if (this[kLife] !== Life.Lean || this._header !== null || !isStatus(statusCode)) {
    return nodeWriteHead(this, statusCode, reason, headers);
  }
  const status = statusCode | 0;
  if (typeof reason === 'string') this.statusMessage = reason;
  else if (!this.statusMessage) this.statusMessage = http.STATUS_CODES[status] ?? 'unknown';
  this.statusCode = status;
  // Status and reason stay where a field is refused, as under node.
  if (UNSAFE_VALUE.test(this.statusMessage) || !isPlainHead(this, given)) {
    return nodeWriteHead(this, statusCode, reason, headers);
  }
  // As node has it: fields given here alone are sent but not stored, so `getHeader` does not know them afterwards.
  const stored = this[kFields] !== null;
  if (given !== undefined && given !== null) {
    for (const name of Object.keys(given)) {
      if (name !== '') this.setHeader(name, given[name] as FieldValue);
    }
  }
  if (this[kLife] !== Life.Lean) nodeResponse.writeHead.call(this, status);
  else {
    storeHead(this);
    if (!stored) {
      this[kFields] = null;
      this[kFieldsEnd] = 0;
    }
  }
  return this;
}

function nodeWriteHead(res: EngineResponse, statusCode: unknown, reason: unknown, headers: unknown): EngineResponse {
  becomeNode(res);
  nodeResponse.writeHead.call(res, statusCode, reason, headers);
  return res;
}

function isStatus(statusCode: unknown): boolean {
  return typeof statusCode === 'number' && statusCode >= 100 && statusCode <= 999;
}

/** Fields that the engine may store one by one: an object of ordinary values, and no instance of `setHeader` that differs. */
function isPlainHead(res: EngineResponse, headers: WriteHeadHeaders): boolean {
  if (headers === undefined || headers === null) return true;
  if (typeof headers !== 'object' || Array.isArray(headers)) return false;
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (typeof value !== 'string' && typeof value !== 'number') return false;
    if (name !== '' && fieldName(name).role >= Role.Framing) return false;
    if (typeof value === 'string' && UNSAFE_VALUE.test(value)) return false;
  }
  return res.setHeader === (setHeader as unknown as typeof res.setHeader);
}

export function implicitHeader(this: EngineResponse): void {
  if (this[kLife] === undefined) nodeResponse._implicitHeader.call(this);
  else this.writeHead(this.statusCode);
}

/**
 * Makes the head where there is none yet, by way of `writeHead()` if somebody waits for that.
 *
 * @returns false where the response is not, or no longer, for the engine to go on with
 */
export function makeHead(res: EngineResponse): boolean {
  if (res._header !== null) return true;
  if (res[kOctetsOutsideAscii]) return false;
  // The usual case: nobody waits for the head, so it is made without the detour.
  if (res._implicitHeader === implicitHeader && (res.writeHead as unknown) === writeHead) return storeImplicit(res);
  res._implicitHeader();
  return res[kLife] === Life.Lean && (res._header as string | null) !== null;
}

function storeImplicit(res: EngineResponse): boolean {
  const status = res.statusCode;
  if (!isStatus(status) || (status | 0) !== status) return false;
  const reason = res.statusMessage;
  if (!reason) res.statusMessage = http.STATUS_CODES[status] ?? 'unknown';
  else if (typeof reason !== 'string' || UNSAFE_VALUE.test(reason)) return false;
  storeHead(res);
  return true;
}
