/** The value of a field, as for `setHeader` and `getHeader`. */
export type FieldValue = string | number | readonly string[];

/** Matches any character except HTAB, SP and visible ASCII: node's code encodes obs-text and refuses the rest. */
export const UNSAFE_VALUE = /[^\t\x20-\x7e]/;
