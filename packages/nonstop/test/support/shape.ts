/** Depth up to which a value is described; below, only the kind is named. */
const DEPTH = 3;
const LONGEST = 200;

/**
 * Describes a value so that two doors can be compared: plain values as they are, objects by their members, functions, promises
 * and other objects by their kind.
 *
 * @param names the names of the play's own objects
 */
export function shape(value: unknown, names: ReadonlyMap<unknown, string>, depth = 0): string {
  const name = names.get(value);
  if (name !== undefined) return name;
  switch (typeof value) {
    case 'string':
      return value.length > LONGEST ? `text of ${value.length}` : JSON.stringify(value);
    case 'function':
      return `function ${value.name}`;
    case 'object':
      return value === null ? 'null' : objectShape(value, names, depth);
    case 'undefined':
    case 'number':
    case 'bigint':
    case 'boolean':
    case 'symbol':
      return String(value);
  }
}

function objectShape(value: object, names: ReadonlyMap<unknown, string>, depth: number): string {
  if (value instanceof Error) {
    const { code } = value as NodeJS.ErrnoException;
    // The text after 'Received' describes a value's inner state.
    return `${value.name} ${code}: ${value.message.split(/\n| Received /)[0]}`;
  }
  if (Buffer.isBuffer(value)) return `octets ${JSON.stringify(value.toString('latin1'))}`;
  if (value instanceof Promise) return 'promise';
  const inside = (each: unknown): string => shape(each, names, depth + 1);
  if (Array.isArray(value)) return depth >= DEPTH ? `list of ${value.length}` : `[${value.map(inside).join(', ')}]`;
  const kind = kindOf(value);
  if (kind !== 'Object' && kind !== 'null') return kind;
  if (depth >= DEPTH) return kind;
  const entries = Object.entries(value).map(([key, each]) => `${key}: ${inside(each)}`);
  return `${kind === 'null' ? 'bare ' : ''}{${entries.join(', ')}}`;
}

function kindOf(value: object): string {
  const prototype = Object.getPrototypeOf(value) as object | null;
  if (prototype === null) return 'null';
  const { constructor } = prototype as { constructor?: { name?: unknown } };
  return typeof constructor?.name === 'string' ? constructor.name : 'unknown';
}
