import { hidden } from '../core/hidden.js';
import { NodeRequest } from './classes.js';

export type Fields = Record<string, string | string[] | undefined>;

type Add = (this: object, field: string, value: string, dest: Fields) => void;

const nodeIncoming = hidden<{ _addHeaderLine: Add; _addHeaderLineDistinct: Add }>(NodeRequest.prototype);

/**
 * Fields by name, joined as node joins them: `headers` and `trailers`.
 *
 * @param req the request; node looks at its `joinDuplicateHeaders`
 * @param raw names and values in turn
 */
export function joinFields(req: object, raw: readonly string[]): Fields {
  const dest: Fields = {};
  for (let i = 0; i < raw.length; i += 2) nodeIncoming._addHeaderLine.call(req, raw[i], raw[i + 1], dest);
  return dest;
}

/** Fields by name, with a list of values for each: `headersDistinct` and `trailersDistinct`. */
export function listFields(req: object, raw: readonly string[]): Fields {
  const dest = Object.create(null) as Fields;
  for (let i = 0; i < raw.length; i += 2) nodeIncoming._addHeaderLineDistinct.call(req, raw[i], raw[i + 1], dest);
  return dest;
}
