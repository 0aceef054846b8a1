import type { FieldName } from './field-names.js';
import type { FieldValue } from './field-value.js';
import { kFields, type EngineResponse } from '../message.js';

/*
 * The fields of a response that the engine runs: a flat list of what is known of the name, the name as written, and the value, in the order of the
 * wire, up to the first null.
 */

type Fields = NonNullable<EngineResponse[typeof kFields]>;

/** A short name, because it is repeated in the literal of a list with room. */
const N = null;

interface StoredField {
  readonly field: FieldName;
  readonly name: string;
  readonly value: FieldValue;
}

/** The index of a field; below 0 if there is none: the complement of the index that it would get. */
export function findField(fields: Fields, field: FieldName): number {
  const { length } = fields;
  let i = 0;
  if (field.only) {
    for (; i < length && fields[i] !== null; i += 3) if (fields[i] === field) return i;
    return ~i;
  }
  for (; i < length; i += 3) {
    const other = fields[i] as FieldName | null;
    if (other === null) break;
    if (other === field || other.key === field.key) return i;
  }
  return ~i;
}

/** Sets a field: in its place if there is one of the name, otherwise as the last one. */
export function putField(res: EngineResponse, field: FieldName, name: string, value: FieldValue): void {
  // With room for five fields: a growing list is copied, to three times the size that most responses need.
  const fields = (res[kFields] ??= [N, N, N, N, N, N, N, N, N, N, N, N, N, N, N]);
  let at = findField(fields, field);
  if (at < 0) {
    at = ~at;
    if (at === fields.length) {
      fields.push(field, name, value);
      return;
    }
    fields[at] = field;
  }
  fields[at + 1] = name;
  fields[at + 2] = value;
}

/** The value of a field; undefined if there is none. */
export function valueIn(fields: Fields, field: FieldName): FieldValue | undefined {
  const at = findField(fields, field);
  return at < 0 ? undefined : (fields[at + 2] as FieldValue);
}

export function dropField(fields: Fields, field: FieldName): void {
  const at = findField(fields, field);
  if (at >= 0) fields.splice(at, 3);
}

/** Where the list of fields ends. */
export function endOf(fields: Fields | null): number {
  let end = 0;
  if (fields !== null) while (end < fields.length && fields[end] !== null) end += 3;
  return end;
}

/** The fields in their order. Not used on the hot path. */
export function storedFields(res: EngineResponse): StoredField[] {
  const stored: StoredField[] = [];
  const fields = res[kFields];
  const end = endOf(fields);
  for (let i = 0; i < end; i += 3) {
    const [field, name, value] = fields!.slice(i, i + 3);
    stored.push({ field: field as FieldName, name: name as string, value: value as FieldValue });
  }
  return stored;
}
