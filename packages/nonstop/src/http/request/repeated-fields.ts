import type { Fields } from '../../node/incoming-fields.js';

/**
 * The `headers` of a connection whose requests repeat their field lines, as those of most clients do. The parser finds that out: only lines that it
 * knows from the head before come here (`MessageHost.repeats()`). The first `headers` that are read of them note the lines, the second are kept,
 * and later ones are copies of these, which takes 0.2 µs for five fields instead of 1.1.
 */
export class RepeatedFields {
  private lines = '';
  /** null until they were read twice. */
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
