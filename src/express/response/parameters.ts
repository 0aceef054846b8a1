/** A media type split from its parameters, as `res.format` compares them. */
export interface ParameterizedMediaType {
  value: string;
  quality?: number;
  params: Record<string, string>;
}

/**
 * Splits `text/html;level=1;q=.5` at its semicolons. A piece without `=` is passed over, and `q` is the quality instead
 * of a parameter. Quoted strings are not interpreted: the keys are the application's own.
 */
export function mediaTypeWithParameters(type: string): ParameterizedMediaType {
  const [value, ...pieces] = type.split(';');
  const result: ParameterizedMediaType = { value: value.trim(), quality: 1, params: {} };
  for (const piece of pieces) {
    const equals = piece.indexOf('=');
    if (equals === -1) continue;
    const name = piece.slice(0, equals).trim();
    const content = piece.slice(equals + 1).trim();
    if (name === 'q') result.quality = parseFloat(content);
    else result.params[name] = content;
  }
  return result;
}
