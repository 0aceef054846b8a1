import { shape } from './shape.js';

/** How long a handler waits; `calm` is until nothing else happens any more. */
export type Pause = Timed | 'calm';

type Timed = 'microtask' | 'tick' | 'immediate' | 'timer' | 'later';

/** What was seen, by source. */
export type Notes = Readonly<Record<string, readonly string[]>>;

/** What is seen while something plays: the results of acts, and events. */
export class Transcript {
  /** The name of a value in notes, if it is one of the play's own objects. */
  readonly names = new Map<unknown, string>();
  protected readonly notes: Record<string, string[]> = {};
  /** Grows with each event. */
  protected moves = 0;
  /** Waits of handlers that are not over. */
  protected waits = 0;
  protected over = false;
  private readonly calms: (() => void)[] = [];

  /** Notes one event of `source`; events of one source are compared in order. */
  note(source: string, text: string): void {
    // Whether a connection notices that the end of the play cuts it off is chance.
    if (this.over) return;
    this.moves++;
    (this.notes[source] ??= []).push(text);
  }

  /** Runs an act and notes its result or error. @returns the result */
  call(source: string, label: string, act: () => unknown): unknown {
    let result: unknown;
    try {
      result = act();
    } catch (error) {
      this.note(source, `${label} threw ${shape(error, this.names)}`);
      return undefined;
    }
    this.note(source, `${label} → ${shape(result, this.names)}`);
    if (result instanceof Promise) {
      result.then(
        (value) => this.note(source, `${label} resolved ${shape(value, this.names)}`),
        (error) => this.note(source, `${label} rejected ${shape(error, this.names)}`),
      );
    }
    return result;
  }

  /** Waits in a handler; meanwhile the client takes no further step. */
  async pause(how: Pause): Promise<void> {
    if (how === 'calm') return await new Promise((resolve) => this.calms.push(resolve));
    const go = this.hold();
    this.moves++;
    await PAUSES[how]();
    go();
  }

  /** Ends the longest pause that waits for this moment, if there is one. @returns whether there was one */
  protected isCalm(): boolean {
    const next = this.calms.shift();
    if (next === undefined) return false;
    this.moves++;
    next();
    return true;
  }

  /** Delays the client's next step. @returns a function that ends the delay */
  hold(): () => void {
    this.waits++;
    return () => {
      this.waits--;
      this.moves++;
    };
  }
}

export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const PAUSES: Readonly<Record<Timed, () => Promise<void>>> = {
  microtask: () => Promise.resolve(),
  tick: () => new Promise((resolve) => process.nextTick(resolve)),
  immediate: () => new Promise((resolve) => setImmediate(resolve)),
  timer: () => sleep(1),
  later: () => sleep(8),
};
