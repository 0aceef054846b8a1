import { nodeRequest } from './classes.js';

export type Fields = Record<string, string | string[] | undefined>;

/** Of node's methods that are used here, those that this Node lacks. */
export const MISSING_JOINS: readonly string[] = ['_addHeaderLine', '_addHeaderLineDistinct'].filter(
  (name) => !(name in nodeRequest),
);

/**
 * Fields by name, joined as node joins them: `headers` and `trailers`.
 *
 * @param req the request; node looks at its `joinDuplicateHeaders`
 * @param raw names and values in turn
 */
export function joinFields(req: object, raw: readonly string[]): Fields {
  const dest: Fields = {};
  for (let i = 0; i < raw.length; i += 2) nodeRequest._addHeaderLine.call(req, raw[i], raw[i + 1], dest);
  return dest;
}

/** Fields by name, with a list of values for each: `headersDistinct` and `trailersDistinct`. */
export function listFields(req: object, raw: readonly string[]): Fields {
  const dest = Object.create(null) as Fields;
  for (let i = 0; i < raw.length; i += 2) nodeRequest._addHeaderLineDistinct.call(req, raw[i], raw[i + 1], dest);
  return dest;
}
