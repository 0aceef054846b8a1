/** Maximum number of failures of one place in the summary. */
const namesShown = 8;

/** The checks of a run. Each prints its title and its duration, and a failure does not stop the next one. */
export class Checks {
  passed = 0;
  skipped = 0;
  /** @type {{ where: string, what?: string }[]} in the order in which they failed */
  failures = [];
  /** @type {{ where: string, what: string }[]} what failed once and passed at a second run: each is a race to be found */
  unsteady = [];

  /** @param {string} line */
  say(line) {
    console.log(line);
  }

  /**
   * Runs one check and prints its outcome.
   * @template T
   * @param {string} title
   * @param {() => Promise<T>} work fails by throwing, with a message for the reader
   * @param {string} [about] its usual duration, such as '1 min'; if given, the start is printed too
   * @returns {Promise<T | undefined>} undefined when it failed
   */
  async check(title, work, about) {
    if (about !== undefined) this.say(`...   ${title}  (about ${about})`);
    const started = performance.now();
    try {
      const value = await work();
      this.passed++;
      this.say(`ok    ${title}  ${seconds(started)}`);
      return value;
    } catch (error) {
      this.failures.push({ where: title });
      this.say(`FAIL  ${title}  ${seconds(started)}\n${indent(describe(error))}`);
      return undefined;
    }
  }

  /**
   * Ends the run: repeats the failures at the end of the output and sets the exit code. The last line stands alone so
   * that a machine can read it.
   */
  close() {
    if (this.failures.length > 0) this.say(`\nFailed:\n${indent(byPlace(this.failures))}`);
    if (this.unsteady.length > 0) this.say(`\nUnsteady, passed at a second run:\n${indent(byPlace(this.unsteady))}`);
    if (this.skipped > 0) this.say(`\n${this.skipped} skipped, each with its reason`);
    this.say(`\n${this.passed} passed, ${this.failures.length} failed`);
    process.exitCode = this.failures.length === 0 && this.passed > 0 ? 0 : 1;
  }
}

/**
 * The failures by place. A place with many failures shows the first few, which are likely to show the cause.
 * @param {{ where: string, what?: string }[]} failures
 */
function byPlace(failures) {
  const places = new Map(failures.map(({ where }) => [where, /** @type {string[]} */ ([])]));
  for (const { where, what } of failures) if (what !== undefined) places.get(where)?.push(what);
  return [...places]
    .flatMap(([where, whats]) => {
      const more = whats.length - namesShown;
      const shown = [...whats.slice(0, namesShown), ...(more > 0 ? [`and ${more} more`] : [])];
      return [where, ...shown.map((what) => `  ${what}`)];
    })
    .join('\n');
}

/** @param {unknown} error @returns {string} */
function describe(error) {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}\n${describe(error.cause)}`;
}

/** @param {number} started of performance.now() */
export const seconds = (started) => `${((performance.now() - started) / 1000).toFixed(1)} s`;

/** @param {string} text */
export const indent = (text) => text.replaceAll(/^(?=.)/gm, '      ');
