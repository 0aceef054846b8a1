/** What the coordinator and the contestants' runner pages say, as JSON. */

export const verbs = ['POST', 'GET', 'PUT', 'DELETE'] as const;
export type Verb = (typeof verbs)[number];

export interface Contestant {
  readonly name: string;
  readonly version: string;
  /** Such as `http://127.0.0.1:41234`. */
  readonly origin: string;
}

export interface Shape {
  /** As it stands in paths. */
  readonly name: string;
  readonly title: string;
  /** The body to send. */
  readonly record: { readonly value: unknown };
}

/** How much less time one needed than another, in percent, as it was published. */
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

/** What a shape is called. */
export const titleOf = ({ shapes }: Pick<Setup, 'shapes'>, shape: string): string =>
  shapes.find(({ name }) => name === shape)?.title ?? shape;

/** One timed request, in milliseconds. */
export interface Sample {
  readonly contestant: string;
  readonly shape: string;
  readonly verb: Verb;
  /** From 0. */
  readonly repetition: number;
  /** From before `fetch` to after the body has been read. */
  readonly clientMs: number;
  /** As `Server-Timing` gave it: request in to answer out. */
  readonly serverMs: number;
}

/** What a person has chosen; names as in the setup. */
export interface Choice {
  readonly contestants: readonly string[];
  readonly shapes: readonly string[];
  readonly verbs: readonly Verb[];
  readonly repetitions: number;
  /** Rounds before the first repetition that are not counted. */
  readonly warmup: number;
}

/** What a runner page answers, and what it says when it has loaded. */
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

/** As the lab's other records have it: everything done; stopped by a person or left; stopped by what went wrong. */
export type Ending = 'complete' | 'interrupted' | 'stopped';
