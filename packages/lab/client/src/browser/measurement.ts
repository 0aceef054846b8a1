import type { Choice, Ending, Health, Sample, Setup, Shape, Verb } from '../logic/contract.js';
import type { Browser, Run } from '../logic/export.js';
import { plan, type Step } from '../logic/plan.js';
import { getHealth } from './api.js';
import { afterNextPicture, clockStep, watchHidden } from './clock.js';
import { keep } from './keep.js';
import { Failed, Records } from './records.js';
import { Runner } from './runner.js';

/** Why a run has stopped although requests are left. */
export type Pause = 'person' | 'database' | 'coordinator' | 'contestants' | 'fault';

export interface Progress {
  /** `earlier`: left by an earlier visit to the page. */
  readonly phase: 'none' | 'earlier' | 'connecting' | 'running' | 'stopping' | 'paused' | 'complete';
  readonly pause: Pause | undefined;
  /** The last measurement. */
  readonly step: Step | undefined;
  /** Requests of the plan, including those of the warm-up. */
  readonly done: number;
  readonly total: number;
  /** Undefined as long as there is too little data. */
  readonly msLeft: number | undefined;
  /** Contestants that were removed, with the reason. */
  readonly gone: Readonly<Record<string, string>>;
  readonly run: Run | undefined;
  /** Whether this browser stores the samples over a reload. */
  readonly kept: boolean;
}

const nothing: Progress = {
  phase: 'none',
  pause: undefined,
  step: undefined,
  done: 0,
  total: 0,
  msLeft: undefined,
  gone: {},
  run: undefined,
  kept: true,
};

/** The page draws only between two requests, and for at most a tenth of the time. */
const drawing = { leastMs: 400, share: 10 };
const keepEveryMs = 5000;
/** After that many consecutive failures of one verb a contestant is removed. */
const patience = 3;

/** One run from start to end; it reports its state to the page. */
export class Measurement {
  readonly #setup: Setup;
  readonly #choice: Choice;
  readonly #steps: readonly Step[];
  readonly #started = new Date().toISOString();
  readonly #browser: Omit<Browser, 'wasHidden'> = { agent: navigator.userAgent, clockStepMs: clockStep() };
  readonly #hidden = watchHidden();
  readonly #tell: (progress: Progress) => void;
  readonly #records = new Map<string, Records>();
  /** By contestant, then by verb: a contestant that cannot read may still write between the reads. */
  readonly #failuresInARow = new Map<string, Map<Verb, number>>();
  readonly #samples: Sample[] = [];
  readonly #failures: string[] = [];
  #gone: Record<string, string> = {};
  #at = 0;
  #workedMs = 0;
  #keptAt = 0;
  #kept = true;
  #stopping = false;

  /** @param tell called with every new state */
  constructor(setup: Setup, choice: Choice, tell: (progress: Progress) => void) {
    this.#setup = setup;
    this.#choice = choice;
    this.#steps = plan(choice);
    this.#tell = tell;
    addEventListener('pagehide', this.#keepNow);
  }

  /** Measures until everything is done or something stops it; a further call continues. */
  async go(): Promise<void> {
    this.#stopping = false;
    this.#say('connecting');
    await this.#connect();
    this.#say('running');
    const began = performance.now();
    const pause = await this.#work(began).catch((error: unknown): Pause => {
      this.#failures.push(`The page itself: ${messageOf(error)}`);
      return 'fault';
    });
    this.#workedMs += performance.now() - began;
    if (pause === undefined || pause === 'person') await this.#clear(this.#choice.shapes);
    else for (const records of this.#records.values()) records.forget();
    this.#end(pause);
  }

  /** Stops after the current request. */
  stop(): void {
    this.#stopping = true;
    this.#say('stopping');
  }

  /** Removes the frames. All samples have been reported. */
  close(): void {
    removeEventListener('pagehide', this.#keepNow);
    this.#hidden.stop();
    for (const records of this.#records.values()) records.close();
    this.#records.clear();
  }

  async #connect(): Promise<void> {
    const chosen = this.#setup.contestants.filter(({ name }) => this.#choice.contestants.includes(name));
    for (const contestant of chosen) {
      if (this.#records.has(contestant.name)) continue;
      try {
        const runner = await Runner.open(contestant);
        this.#records.set(contestant.name, new Records(contestant, runner));
        this.#failuresInARow.set(contestant.name, new Map());
        this.#gone = Object.fromEntries(Object.entries(this.#gone).filter(([name]) => name !== contestant.name));
      } catch (error) {
        this.#leave(contestant.name, messageOf(error));
      }
    }
  }

  /** Runs the steps. @returns the reason if it stopped; the failed step is repeated first */
  async #work(began: number): Promise<Pause | undefined> {
    let drawnAt = -Infinity;
    let pauseToDraw = drawing.leastMs;
    let before: Step | undefined;
    for (; this.#at < this.#steps.length; this.#at++) {
      if (this.#stopping) return 'person';
      if (this.#records.size === 0) return (await healthNow()) === undefined ? 'coordinator' : 'contestants';
      const step = this.#steps[this.#at];
      if (before !== undefined && isNextRecord(before, step)) await this.#clear([before.shape]);
      before = step;
      const pause = await this.#take(step);
      if (pause !== undefined) return pause;
      const now = performance.now();
      if (now - drawnAt > pauseToDraw) {
        this.#say(this.#stopping ? 'stopping' : 'running', {
          done: this.#at + 1,
          msLeft: this.#msLeft(this.#workedMs + now - began),
        });
        await afterNextPicture();
        if (now - this.#keptAt > keepEveryMs) this.#keepNow();
        drawnAt = performance.now();
        pauseToDraw = Math.max(drawing.leastMs, drawing.share * (drawnAt - now));
      }
    }
    return undefined;
  }

  async #take({ contestant, shape: name, verb, repetition }: Step): Promise<Pause | undefined> {
    const records = this.#records.get(contestant);
    const shape = this.#shape(name);
    if (records === undefined || shape === undefined) return undefined;
    try {
      await records.prepare(verb, shape);
      const { ms, serverMs } = await records.send(verb, shape);
      // The clock has a resolution of 5 µs at best; further digits are noise of the arithmetic.
      const clientMs = Math.round(ms * 1000) / 1000;
      if (repetition >= 0) this.#samples.push({ contestant, shape: name, verb, repetition, clientMs, serverMs });
      this.#failuresInARow.get(contestant)?.delete(verb);
      return undefined;
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      return this.#judge(contestant, verb, error);
    }
  }

  /** The cause of a failure decides what continues: everything, all other contestants, or nothing for now. */
  async #judge(contestant: string, verb: Verb, { message }: Failed): Promise<Pause | undefined> {
    const health = await healthNow();
    if (health === undefined) return 'coordinator';
    if (!health.database) return 'database';
    this.#failures.push(message);
    const failures = this.#failuresInARow.get(contestant);
    const inARow = (failures?.get(verb) ?? 0) + 1;
    failures?.set(verb, inARow);
    const answers = health.contestants[contestant] ?? false;
    if (!answers || inARow >= patience) this.#leave(contestant, message);
    return undefined;
  }

  #leave(contestant: string, why: string): void {
    this.#gone = { ...this.#gone, [contestant]: why };
    this.#records.get(contestant)?.close();
    this.#records.delete(contestant);
  }

  /** Deletes what the plan has left, so that the collections do not grow. */
  async #clear(shapes: readonly string[]): Promise<void> {
    for (const records of this.#records.values()) {
      for (const name of shapes) {
        const shape = this.#shape(name);
        // A record that remains costs a little space; if something is wrong, the next request shows it.
        if (shape !== undefined) await records.clear(shape).catch(() => records.forget());
      }
    }
  }

  #end(pause: Pause | undefined): void {
    this.#keepNow(pause);
    this.#say(pause === undefined ? 'complete' : 'paused', { pause });
  }

  #shape(name: string): Shape | undefined {
    return this.#setup.shapes.find((shape) => shape.name === name);
  }

  #msLeft(workedMs: number): number | undefined {
    const aRound = this.#steps.length / (this.#choice.repetitions + this.#choice.warmup);
    return this.#at < aRound ? undefined : (workedMs / (this.#at + 1)) * (this.#steps.length - this.#at - 1);
  }

  #run(ended: Ending): Run {
    return {
      started: this.#started,
      ended,
      choice: this.#choice,
      samples: this.#samples.slice(),
      failures: [...this.#failures, ...Object.entries(this.#gone).map(([name, why]) => `${name} left: ${why}`)],
      browser: { ...this.#browser, wasHidden: this.#hidden.wasHidden() },
    };
  }

  readonly #keepNow = (pause?: unknown): void => {
    const ended = this.#at === this.#steps.length ? 'complete' : endingOf(pause);
    this.#kept = this.#samples.length === 0 || keep(this.#run(ended));
    this.#keptAt = performance.now();
  };

  #say(phase: Progress['phase'], more: Partial<Progress> = {}): void {
    const complete = this.#at === this.#steps.length;
    this.#tell({
      ...nothing,
      phase,
      step: this.#steps[Math.min(this.#at, this.#steps.length - 1)],
      done: this.#at,
      total: this.#steps.length,
      gone: this.#gone,
      run: this.#run(complete ? 'complete' : endingOf(more.pause)),
      kept: this.#kept,
      ...more,
    });
  }
}

/** The state before a run: that of an earlier visit, or none. */
export const beforeAnything = (run: Run | undefined): Progress =>
  run === undefined ? nothing : { ...nothing, phase: 'earlier', run };

/** If nothing else happens, a run under way ends as interrupted. */
const endingOf = (pause: unknown): Ending =>
  pause === undefined || pause === 'person' || pause instanceof Event ? 'interrupted' : 'stopped';

/** Within one repetition and shape, all verbs of a contestant use the same record. */
const isNextRecord = (before: Step, step: Step): boolean =>
  before.shape !== step.shape || before.repetition !== step.repetition;

const healthNow = (): Promise<Health | undefined> => getHealth().catch(() => undefined);

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
