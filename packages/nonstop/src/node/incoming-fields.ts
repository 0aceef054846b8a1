import { nodeRequest } from './classes.js';

export type Fields = Record<string, string | string[] | undefined>;

/** The methods of node's that are used here and that this Node lacks. */
export const MISSING_JOINS: readonly string[] = ['_addHeaderLine', '_addHeaderLines', '_addHeaderLineDistinct'].filter(
  (name) => !(name in nodeRequest),
);

/** Whether node runs with `--disable-proto=throw`. */
const PROTO_THROWS = protoThrows();

function protoThrows(): boolean {
  try {
    Reflect.get({}, '__proto__');
    return false;
  } catch {
    return true;
  }
}

/**
 * With `--disable-proto=throw` node's code throws for a field `__proto__`, so that any client could end the process. Without that flag it
 * leaves the field out.
 */
function withoutProto(raw: readonly string[]): readonly string[] {
  return raw.filter((_, i) => raw[i - (i % 2)].toLowerCase() !== '__proto__');
}

/** Adds fields to a request as node's parser does. @param count the number of entries of `raw` that `headers` is made of */
export function addFieldLines(req: object, raw: readonly string[], count: number): void {
  nodeRequest._addHeaderLines.call(req, raw, count);
}

/**
 * Fields by name, joined as node joins them: `headers` and `trailers`.
 *
 * @param req the request; node looks at its `joinDuplicateHeaders`
 * @param raw names and values in turn
 * @param dest what they are added to
 */
export function joinFields(req: object, raw: readonly string[], dest: Fields = {}): Fields {
  const lines = PROTO_THROWS ? withoutProto(raw) : raw;
  for (let i = 0; i < lines.length; i += 2) nodeRequest._addHeaderLine.call(req, lines[i], lines[i + 1], dest);
  return dest;
}

/**
 * {@link joinFields} for names in lower case, as in HTTP/2. node's method looks up the spelling of each name, so it is called only for names
 * that come again.
 */
export function addLowerFields(req: object, raw: readonly string[], dest: Fields): void {
  const lines = PROTO_THROWS ? withoutProto(raw) : raw;
  for (let i = 0; i < lines.length; i += 2) {
    const name = lines[i];
    if (dest[name] !== undefined) nodeRequest._addHeaderLine.call(req, name, lines[i + 1], dest);
    else dest[name] = name === 'set-cookie' ? [lines[i + 1]] : lines[i + 1];
  }
}

/** Fields by name, with a list of values for each: `headersDistinct` and `trailersDistinct`. */
export function listFields(req: object, raw: readonly string[]): Fields {
  const dest = Object.create(null) as Fields;
  for (let i = 0; i < raw.length; i += 2) nodeRequest._addHeaderLineDistinct.call(req, raw[i], raw[i + 1], dest);
  return dest;
}
