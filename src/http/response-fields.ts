import { isOrdinaryValue } from './field-values.js';
import { Role, fieldName, newFieldName, type FieldName } from './field-names.js';
import { kFields, type EngineResponse, type FieldValue } from './messages.js';
import { becomeNode, nodeResponse } from './response-node.js';
import { Life, kLife } from './symbols.js';
import type http = require('node:http');

function findField(fields: (FieldName | FieldValue)[], field: FieldName): number {
  for (let i = 0; i < fields.length; i += 3) {
    const other = fields[i] as FieldName;
    if (other === field || other.key === field.key) return i;
  }
  return -1;
}

function putField(res: EngineResponse, field: FieldName, name: string, value: FieldValue): void {
  const fields = res[kFields];
  if (fields === null) {
    res[kFields] = [field, name, value];
    return;
  }
  const at = findField(fields, field);
  if (at === -1) {
    fields.push(field, name, value);
  } else {
    fields[at + 1] = name;
    fields[at + 2] = value;
  }
}

export function setHeader(this: EngineResponse, name: string, value: FieldValue): EngineResponse {
  if (this[kLife] !== Life.Lean || this._header !== null) return nodeSetHeader(this, name, value);
  const field = fieldName(name);
  if (value !== field.last.value || value === '') {
    if (field.role >= Role.Framing || !isOrdinaryValue(this, name, value)) return nodeSetHeader(this, name, value);
  }
  putField(this, field, name, value);
  return this;
}

function nodeSetHeader(res: EngineResponse, name: string, value: FieldValue): EngineResponse {
  if (res[kLife] !== Life.Node && res[kLife] !== undefined) becomeNode(res);
  nodeResponse.setHeader.call(res, name, value);
  return res;
}

function getHeader(this: EngineResponse, name: string): FieldValue | undefined {
  if (!this[kLife] || typeof name !== 'string') return nodeResponse.getHeader.call(this, name);
  const fields = this[kFields];
  if (fields === null) return undefined;
  const at = findField(fields, lookUp(name));
  return at === -1 ? undefined : (fields[at + 2] as FieldValue);
}

function hasHeader(this: EngineResponse, name: string): boolean {
  if (!this[kLife] || typeof name !== 'string') return nodeResponse.hasHeader.call(this, name);
  const fields = this[kFields];
  return fields !== null && findField(fields, lookUp(name)) !== -1;
}

// Asking for a name that is no token is no error; it is just not there.
function lookUp(name: string): FieldName {
  try {
    return fieldName(name);
  } catch {
    return newFieldName(name.toLowerCase(), Role.None);
  }
}

function removeHeader(this: EngineResponse, name: string): void {
  if (this[kLife] !== Life.Lean || typeof name !== 'string' || this._header !== null) {
    if (this[kLife]) becomeNode(this);
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
  if (fields === null) return;
  const at = findField(fields, lookUp(name));
  if (at !== -1) fields.splice(at, 3);
}

function getHeaderNames(this: EngineResponse): string[] {
  if (!this[kLife]) return nodeResponse.getHeaderNames.call(this);
  return (this[kFields] ?? []).filter((_, i) => i % 3 === 0).map((field) => (field as FieldName).key);
}

function getRawHeaderNames(this: EngineResponse): string[] {
  if (!this[kLife]) return nodeResponse.getRawHeaderNames.call(this);
  return (this[kFields] ?? []).filter((_, i) => i % 3 === 1) as string[];
}

function getHeaders(this: EngineResponse): http.OutgoingHttpHeaders {
  if (!this[kLife]) return nodeResponse.getHeaders.call(this);
  const headers = Object.create(null) as Record<string, FieldValue>;
  const fields = this[kFields] ?? [];
  for (let i = 0; i < fields.length; i += 3) headers[(fields[i] as FieldName).key] = fields[i + 2] as FieldValue;
  return headers as http.OutgoingHttpHeaders;
}

/** The engine's ways of node's methods on fields, by node's names. */
export const fieldMethods = {
  setHeader,
  getHeader,
  hasHeader,
  removeHeader,
  getHeaderNames,
  getRawHeaderNames,
  getHeaders,
};
