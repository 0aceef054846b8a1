/** The messages of the coordinator and of the contestants' runner pages, as JSON. */

export const verbs = ['POST', 'GET', 'PUT', 'DELETE'] as const;
export type Verb = (typeof verbs)[number];

export interface Contestant {
  readonly name: string;
  readonly version: string;
  /** Such as `http://127.0.0.1:41234`. */
  readonly origin: string;
}

export interface Shape {
  /** As in paths. */
  readonly name: string;
  readonly title: string;
  /** The body to send. */
  readonly record: { readonly value: unknown };
}

/** The published result: how much less time one needed than another, in percent. */
export interface Published {
  readonly shape: string;
  readonly of: string;
  readonly against: string;
  readonly words: string;
  readonly low: number;
  readonly high: number;
}

/** `GET /api/setup` */
export interface Setup {
  readonly database: { readonly label: string };
  readonly machine: Readonly<Record<string, string | number>>;
  readonly versions: Readonly<Record<string, string>>;
  readonly repetitions: number;
  readonly contestants: readonly Contestant[];
  readonly shapes: readonly Shape[];
  readonly verbs: readonly Verb[];
  readonly published: readonly Published[];
}

/** The title of a shape. */
export const titleOf = ({ shapes }: Pick<Setup, 'shapes'>, shape: string): string =>
  shapes.find(({ name }) => name === shape)?.title ?? shape;

/** One timed request, in milliseconds. */
export interface Sample {
  readonly contestant: string;
  readonly shape: string;
  readonly verb: Verb;
  /** Counted from 0. */
  readonly repetition: number;
  /** From before `fetch` until the body has been read. */
  readonly clientMs: number;
  /** From `Server-Timing`: from the arrival of the request to the head of the answer. */
  readonly serverMs: number;
}

/** The user's choice; names as in the setup. */
export interface Choice {
  readonly contestants: readonly string[];
  readonly shapes: readonly string[];
  readonly verbs: readonly Verb[];
  readonly repetitions: number;
  /** Warm-up rounds before the first repetition, which do not count. */
  readonly warmup: number;
}

/** The messages of a runner page: results, and one when it has loaded. */
export type RunnerMessage =
  | { readonly type: 'ready' }
  | {
      readonly type: 'sample';
      readonly key: string;
      readonly status: number;
      readonly ms: number;
      readonly serverMs: number | null;
      readonly body: unknown;
    }
  | { readonly type: 'failed'; readonly key: string; readonly message: string };

/** `GET /api/health` */
export interface Health {
  readonly database: boolean;
  /** By name. */
  readonly contestants: Readonly<Record<string, boolean>>;
}

/** As in the lab's other records: all done; stopped by the user or by leaving the page; stopped by a failure. */
export type Ending = 'complete' | 'interrupted' | 'stopped';
