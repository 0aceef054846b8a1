import type { Bench } from '../measure.js';
import { loadScenario, type LoadShape, type PeerSource, type Scenario, type ScenarioRequest } from '../scenario.js';

/** The request at one point of a curve, and its load. */
export interface Workload {
  readonly request: ScenarioRequest;
  readonly load?: LoadShape;
  readonly peers: Readonly<Record<string, PeerSource>>;
  /** Default: the run's own. */
  readonly connections?: number;
  /** The minimum of each sample. */
  readonly seconds?: number;
}

/** A curve: a quantity that grows, and the cost of a request. */
export interface Curve {
  readonly name: string;
  readonly title: string;
  /** What grows, with its unit. */
  readonly axis: string;
  readonly bytes?: boolean;
  readonly points: readonly number[];
  /** Shows that everything runs, in short. */
  readonly quick: readonly number[];
  readonly workload: (at: number) => Workload;
  /** Names of the points, if they are not amounts. */
  readonly names?: readonly string[];
  /** Points whose growth is judged: from and to. Default: the first and the last. */
  readonly judged?: readonly (readonly [from: number, to: number])[];
  /** Why a Node cannot take a point; undefined if it can. */
  readonly obstacle?: (at: number, node: Bench['node']) => string | undefined;
}

const files = { 'node:http': 'node-http.js', 'Express 5': 'express.js', Nonstop: 'nonstop.js' } as const;

/** The three contestants, in the order of the tables. */
export const contestants: readonly string[] = Object.keys(files);

const peers = (env: Readonly<Record<string, string>>): Record<string, PeerSource> =>
  Object.fromEntries(Object.entries(files).map(([name, file]) => [name, { file, env }]));

/** Loaded on use: the published lab reads records of curves but has no scenarios. */
const hello = (): ScenarioRequest => loadScenario('hello').request;

/** Fields of a hundred bytes each with name and line end; the last one has the rest. */
function fields(bytes: number): Record<string, string> {
  const fieldOf = (size: number, place: number): [string, string] => {
    const name = `X-Field-${place}`;
    return [name, 'v'.repeat(Math.max(1, size - `${name}: \r\n`.length))];
  };
  const whole = Math.floor(bytes / 100);
  const sizes = [...Array.from({ length: whole }, () => 100), ...(bytes % 100 > 0 ? [bytes % 100] : [])];
  return Object.fromEntries(sizes.map(fieldOf));
}

const sizes = [0, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000];

/** Large bodies on many connections would measure the machine's memory. */
const fewConnections = 10;

/**
 * One process beside two, by the way of sharing their port; first with keep-alive, then with a connection for each
 * request.
 */
const sharings: readonly { readonly name: string; readonly load?: LoadShape; readonly door?: string }[] = [
  { name: 'one process' },
  { name: 'node:cluster, 2 processes', door: 'listen' },
  { name: 'reusePort, 2 processes', door: 'reusePort' },
  { name: 'one process, no keep-alive', load: { keepAlive: false } },
  { name: 'node:cluster, 2 processes, no keep-alive', load: { keepAlive: false }, door: 'listen' },
  { name: 'reusePort, 2 processes, no keep-alive', load: { keepAlive: false }, door: 'reusePort' },
];

function shared(at: number): Workload {
  const { load, door } = sharings[at];
  const env = { SCENARIO: 'hello' };
  if (door === undefined) return { request: hello(), load, peers: peers(env) };
  const several = Object.entries(files).map(([name, PEER]): [string, PeerSource] => [
    name,
    { file: 'several.js', env: { ...env, PEER, PROCESSES: '2', DOOR: door } },
  ]);
  return { request: hello(), load, peers: Object.fromEntries(several) };
}

/** `listen({ reusePort: true })` came with Node 23.1, and means this on Linux. */
function cannotShare(at: number, { version }: Bench['node']): string | undefined {
  if (sharings[at].door !== 'reusePort') return undefined;
  const [major, minor] = version.slice(1).split('.').map(Number);
  if (major < 23 || (major === 23 && minor < 1)) return 'listen({ reusePort: true }) came with Node 23.1';
  return process.platform === 'linux' ? undefined : 'listen({ reusePort: true }) shares connections out on Linux only';
}

export const curves: readonly Curve[] = [
  {
    name: 'routes',
    title: 'Routes, the last one asked for',
    axis: 'routes',
    points: [1, 10, 100, 1000, 10_000],
    quick: [1, 100],
    workload: (at) => ({
      request: { method: 'GET', path: '/last/7' },
      peers: peers({ SCENARIO: 'routes', ROUTES: String(at) }),
    }),
  },
  {
    name: 'middleware',
    title: 'Middleware that calls next()',
    axis: 'middleware',
    points: [0, 1, 3, 10, 30, 100],
    quick: [0, 10],
    workload: (at) => ({ request: hello(), peers: peers({ SCENARIO: 'middleware', MIDDLEWARE: String(at) }) }),
  },
  {
    name: 'fields',
    title: 'Fields of the request, in lines of 100 bytes',
    axis: 'bytes of fields',
    bytes: true,
    points: [0, 100, 300, 1000, 3000, 12_000],
    quick: [0, 1000],
    workload: (at) => ({ request: { ...hello(), headers: fields(at) }, peers: peers({ SCENARIO: 'hello' }) }),
  },
  {
    name: 'body',
    title: 'Body of the answer, a buffer, with its entity tag',
    axis: 'bytes of the body',
    bytes: true,
    points: sizes,
    quick: [0, 10_000],
    workload: (at) => ({
      request: hello(),
      peers: peers({ SCENARIO: 'answer', BYTES: String(at) }),
      connections: fewConnections,
    }),
  },
  {
    name: 'receive',
    title: 'Body of the request, collected (express.raw())',
    axis: 'bytes of the body',
    bytes: true,
    points: sizes,
    quick: [0, 10_000],
    workload: (at) => ({
      request: {
        method: 'POST',
        path: '/',
        headers: { 'Content-Type': 'application/octet-stream' },
        body: 'x'.repeat(at),
      },
      peers: peers({ SCENARIO: 'receive' }),
      connections: fewConnections,
    }),
  },
  {
    name: 'connections',
    title: 'Connections at once',
    axis: 'connections',
    points: [1, 10, 100, 1000, 10_000],
    quick: [1, 100],
    workload: (at) => ({
      request: hello(),
      peers: peers({ SCENARIO: 'hello' }),
      connections: at,
      // The connections are opened within the sample, which must last longer than that.
      seconds: at / 2000,
    }),
  },
  {
    name: 'waiting',
    title: 'Requests in flight, whose handlers wait',
    axis: 'requests in flight',
    points: [1, 10, 100, 1000, 10_000],
    quick: [1, 100],
    workload: (at) => ({
      request: { method: 'GET', path: '/items/7' },
      // About 5,000 requests a second at each point but the first two, where timers are not shorter than 1 ms.
      peers: peers({ SCENARIO: 'waiting', WAIT: String(Math.max(1, at / 5)) }),
      connections: at,
      // Several answers for each connection.
      seconds: at / 1000,
    }),
  },
  {
    name: 'pipeline',
    title: 'Requests sent together on each connection',
    axis: 'requests together',
    points: [1, 2, 4, 8, 16, 32, 64],
    quick: [1, 16],
    workload: (at) => ({ request: hello(), load: { pipeline: at }, peers: peers({ SCENARIO: 'hello' }) }),
  },
  {
    name: 'processes',
    title: 'Two processes at one port, on the one core',
    axis: 'processes',
    points: [...sharings.keys()],
    quick: [0, 1, 2],
    workload: shared,
    names: sharings.map(({ name }) => name),
    judged: [
      [0, 1],
      [0, 2],
      [3, 4],
      [3, 5],
    ],
    obstacle: cannotShare,
  },
];

/**
 * The curves of these names, all when left out.
 *
 * @throws {Error} if a name is unknown
 */
export function chooseCurves(names?: readonly string[]): readonly Curve[] {
  if (names === undefined) return curves;
  return names.map((name) => {
    const curve = curves.find((candidate) => candidate.name === name);
    if (curve !== undefined) return curve;
    throw new Error(`There is no curve '${name}'; there are ${curves.map((known) => known.name).join(', ')}`);
  });
}

/** A point as a scenario, which is measured like any other. */
export function scenarioAt(curve: Curve, at: number): Scenario {
  const { request, load, peers: sources } = curve.workload(at);
  return { name: `${curve.name}-${at}`, title: `${curve.title}: ${nameOf(curve, at)}`, request, load, peers: sources };
}

/** The text of a point: its number or its name. */
export const nameOf = ({ names }: Pick<Curve, 'names'>, at: number): string => names?.[at] ?? at.toLocaleString('en');

/** The text for the range between two points. */
export const spanOf = (curve: Curve, from: number, to: number): string =>
  `${nameOf(curve, from)} … ${nameOf(curve, to)}${curve.names === undefined ? ` ${curve.axis}` : ''}`;
