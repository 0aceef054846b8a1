/** Returns the fault of a value, or undefined if it is valid. `where` names the value. */
export type Shape = (value: unknown, where: string) => string | undefined;

export const text: Shape = (value, where) => (typeof value === 'string' ? undefined : `${where} is not a text`);

/** A finite number. JSON has no others, except `null`, which NaN becomes. */
export const number: Shape = (value, where) => (Number.isFinite(value) ? undefined : `${where} is not a number`);

/** No clock of the lab measures less than a nanosecond. */
const least = 1e-9;

/** A number from zero to the largest safe integer. */
export const amount: Shape = (value, where) => {
  const problem = number(value, where);
  if (problem !== undefined) return problem;
  if (Number(value) < 0) return `${where} is below zero`;
  if (value !== 0 && Number(value) < least) return `${where} is too small to be measured`;
  return Number(value) > Number.MAX_SAFE_INTEGER ? `${where} is beyond what can be counted` : undefined;
};

export const positive: Shape = (value, where) => amount(value, where) ?? (value === 0 ? `${where} is zero` : undefined);

export const optional =
  (shape: Shape): Shape =>
  (value, where) =>
    value === undefined ? undefined : shape(value, where);

export const oneOf =
  (...allowed: readonly string[]): Shape =>
  (value, where) =>
    allowed.includes(value as string) ? undefined : `${where} is not one of ${allowed.join(', ')}`;

export const listOf =
  (shape: Shape): Shape =>
  (value, where) => {
    if (!Array.isArray(value)) return `${where} is not a list`;
    for (const [place, entry] of value.entries()) {
      const problem = shape(entry, `${where}[${place}]`);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };

/** All of several shapes. */
export const all =
  (...shapes: readonly Shape[]): Shape =>
  (value, where) => {
    for (const shape of shapes) {
      const problem = shape(value, where);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };

/** An object with at least these properties. */
export const object =
  (properties: Readonly<Record<string, Shape>>): Shape =>
  (value, where) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return `${where} is not an object`;
    for (const [name, shape] of Object.entries(properties)) {
      const problem = shape((value as Record<string, unknown>)[name], where === '' ? name : `${where}.${name}`);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };

/** An object with any property names, whose values all have one shape. */
export const dictionaryOf =
  (shape: Shape): Shape =>
  (value, where) =>
    object({})(value, where) ??
    object(Object.fromEntries(Object.keys(value as object).map((name) => [name, shape])))(value, where);

export const either =
  (...shapes: readonly Shape[]): Shape =>
  (value, where) => {
    const problems = shapes.map((shape) => shape(value, where));
    return problems.includes(undefined) ? undefined : problems.join(', ');
  };
