import { sharedSymbol } from './shared.js';

/**
 * A method of the engine's requests: the value that `headers` has for a field name in lower case. It searches the lines
 * of the head, so that reading one field does not build all of `headers`.
 */
export const kReadField: unique symbol = sharedSymbol('read-field') as never;

export interface FieldReadable {
  [kReadField]?(name: string): string | string[] | undefined;
}
