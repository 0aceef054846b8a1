/**
 * Decodes the value of a param for its handler.
 *
 * @throws URIError with `status` 400 for a malformed escape, or one that is not UTF-8
 */
export function decodeParam(value: string): string {
  if (value.indexOf('%') === -1) return value;
  try {
    return decodeURIComponent(value);
  } catch (error) {
    if (error instanceof URIError) {
      error.message = `Failed to decode param '${value}'`;
      const refused = error as URIError & { status?: number; statusCode?: number };
      refused.status = refused.statusCode = 400;
    }
    throw error;
  }
}
