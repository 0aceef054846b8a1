import type { GeneratorName } from '../generators.js';
import type { PeerSource } from '../scenario.js';
import type { Figure } from '../summary.js';

/** One comparison that a study published: a figure of one contestant as a share of another's. */
export interface Published {
  readonly figure: Extract<Figure, 'perSecond' | 'rss'>;
  readonly of: string;
  /** `Express` is the Express of its time; it is compared with each measured version. */
  readonly against: string;
  readonly connections: number;
  readonly share: number;
  /** As it was published. */
  readonly words: string;
}

export interface StudySettings {
  /** Levels, one after the other. */
  readonly connections: readonly number[];
  readonly rounds: number;
  /** Duration of each sample; a number of requests ends it instead, if there is one. */
  readonly seconds: number;
  readonly requests?: number;
  /** Threads of the generator. */
  readonly workers?: number;
  readonly warmup: number;
  /** Requests that end the warm-up early. */
  readonly settled?: number;
}

/** A published comparison, and how to repeat it. */
export interface Study {
  readonly name: string;
  readonly title: string;
  /** In `packages/lab/scenarios/`: request, answer, keep-alive. */
  readonly scenario: string;
  readonly generator: GeneratorName;
  readonly settings: StudySettings;
  /** Shows that everything runs, in short. */
  readonly quick: StudySettings;
  /** Contestants of this study only. */
  readonly extra?: Readonly<Record<string, PeerSource>>;
  readonly published: readonly Published[];
}

/** The two programs of the getter study. */
const defined = 'defineProperty';
const inherited = 'Object.create';

const native = (connections: number, share: number, words: string): Published => ({
  figure: 'perSecond',
  of: 'node:http',
  against: 'Express',
  connections,
  share,
  words,
});

const restify = (connections: number, share: number, words: string): Published => ({
  figure: 'perSecond',
  of: 'Restify',
  against: 'Express',
  connections,
  share,
  words,
});

const quick = { rounds: 1, seconds: 1, warmup: 0.2, settled: 200 };

export const studies: readonly Study[] = [
  {
    name: 'query-api',
    title: '"I built the same API with & without Express" (2020): a query API without keep-alive',
    scenario: 'query-api',
    generator: 'ab',
    settings: { connections: [100], rounds: 5, seconds: 10, requests: 10_000, warmup: 2 },
    quick: { ...quick, connections: [100], requests: 1000 },
    published: [native(100, 2.1, '10.9k against 5.0k requests/s')],
  },
  {
    name: 'echo',
    title: 'restify against Express, a microbenchmark (restify 1.4.4 and 2.0.0, Express 3.0.5): echo a parameter',
    scenario: 'echo',
    generator: 'ab',
    settings: { connections: [10, 50, 100, 500, 1000], rounds: 3, seconds: 30, requests: 50_000, warmup: 2 },
    quick: { ...quick, connections: [10, 100, 1000], requests: 1000 },
    published: [
      restify(10, 6.3 / 6.1, '6.3k against 6.1k requests/s'),
      restify(1000, 5.7 / 5.3, '5.7k against 5.3k requests/s'),
    ],
  },
  {
    name: 'hello',
    title: '"The (hidden) cost of using framework: Express vs native HTTP servers in Node.js": hello world',
    scenario: 'hello',
    generator: 'curl-multi',
    settings: { connections: [1, 25, 50, 100], rounds: 1, seconds: 600, requests: 1_000_000, warmup: 2 },
    quick: { ...quick, connections: [1, 50, 100], requests: 2000 },
    published: [
      native(1, 2, 'twice the requests/s'),
      native(50, 4, 'four times the requests/s'),
      native(100, 4, 'four times the requests/s'),
      { ...native(100, 0.5, 'half the memory'), figure: 'rss' },
    ],
  },
  {
    name: 'getter',
    title: '"How to make Express 2x faster" (Express performance working group): a getter of the request',
    scenario: 'getter',
    generator: 'autocannon',
    settings: { connections: [1024], rounds: 3, seconds: 10, workers: 8, warmup: 2 },
    quick: { ...quick, connections: [128], workers: 2 },
    extra: {
      [defined]: { file: 'getter-defined.js', ownFields: true },
      [inherited]: { file: 'getter-inherited.js', ownFields: true },
    },
    published: [
      {
        figure: 'perSecond',
        of: inherited,
        against: defined,
        connections: 1024,
        share: 24.8 / 21.5,
        words: '24.8k against 21.5k requests/s',
      },
    ],
  },
];

/** The study that is not a load: a database, four shapes of a record, four verbs (`../crud/`). */
const recordStudy = 'crud';

/**
 * The studies of a name that are loads; `all` is each of them.
 *
 * @throws {Error} when there is no study of this name
 */
export function chooseStudies(name: string): readonly Study[] {
  const chosen = name === 'all' ? studies : studies.filter((study) => study.name === name);
  if (chosen.length > 0 || name === recordStudy) return chosen;
  const names = [...studies.map((study) => study.name), recordStudy];
  throw new Error(`There is no study '${name}'; there are ${names.join(', ')} and all`);
}
