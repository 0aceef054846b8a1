import { sharedSymbol } from './shared.js';

/**
 * A method of the engine's requests: the value of one header field, by its name in lower case, as `headers` has it. It finds the
 * field in the lines of the head, so that asking for one field does not build all of `headers`.
 */
export const kReadField: unique symbol = sharedSymbol('read-field') as never;

export interface FieldReadable {
  [kReadField]?(name: string): string | string[] | undefined;
}
