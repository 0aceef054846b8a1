import type { Figure } from '../summary.js';

/** The most that Nonstop may need, as a share of what another contestant needs. */
export interface Budget {
  readonly figure: Figure | 'idle memory' | 'start' | 'size' | 'packages';
  readonly against: string;
  /** One for all, or by the major of Node. */
  readonly most: number | Readonly<Record<number, number>>;
}

/** One line of the board. A load is the scenario of its name in `packages/lab/scenarios/`; the others are taken in a way of their own. */
export interface BoardRow {
  readonly name: string;
  readonly kind: 'load' | 'idle' | 'start' | 'installed';
  readonly title: string;
  readonly budgets: readonly Budget[];
}

type Most = Budget['most'];

const cpu = (against: string, most: Most): Budget => ({ figure: 'cpu', against, most });
const rss = (against: string, most: Most): Budget => ({ figure: 'rss', against, most });
const node = (most: Most): Budget => cpu('node:http', most);
const express = (most: Most): Budget => cpu('Express 5', most);
const fastify = cpu('Fastify', 0.7);
const load = (name: string, title: string, ...budgets: Budget[]): BoardRow => ({ name, kind: 'load', title, budgets });

/** The board. Ratios are of medians within one run; a contestant that a row does not have is not measured there. */
export const boardRows: readonly BoardRow[] = [
  load(
    'hello',
    "hello, Express's default fields",
    node({ 20: 0.67, 22: 0.67, 24: 0.67, 26: 0.75 }),
    express({ 20: 0.09, 22: 0.09, 24: 0.28, 26: 0.37 }),
    fastify,
    rss('node:http', 1),
    rss('Express 5', 0.65),
  ),
  load(
    'query-api',
    'query API, no keep-alive',
    node({ 20: 0.65, 22: 0.65, 24: 0.65, 26: 0.85 }),
    express(0.3),
    fastify,
  ),
  load('echo', 'echo a parameter', node(0.7), express(0.1), fastify),
  load('getter', 'getter, JSON', node(0.7), express(0.1), fastify),
  load('browser', 'browser-like request', node(0.8), express(0.12), fastify),
  load('pipelined', 'pipelined 16 deep', node(0.25), express(0.05), fastify),
  load('post-json', 'POST JSON 1 KB', node(0.8), express(0.12), fastify),
  load('routes-1000', 'the last of 1,000 routes', cpu('Nonstop, one route', 1.1), express(0.03), fastify),
  load('middleware-20', '20 middleware', node(1), express(0.12)),
  load('parts', 'an answer in three parts', node(1), express(1)),
  load('static', 'express.static, 10 KB', node(1), express(0.35)),
  load('view', 'ejs view, cached', express(0.25)),
  load('stack', 'middleware stack', express(0.5)),
  load('stack-gzip', 'middleware stack, 5 KB compressed', express(0.5)),
  load('https', 'https, keep-alive', node(0.85), express(0.15), fastify),
  // "As app.listen()": what two runs of one program differ by is allowed for.
  load('user-server', "the user's own createServer", cpu('Nonstop, app.listen()', 1.05)),
  {
    name: 'idle',
    kind: 'idle',
    title: 'memory of an idle connection',
    budgets: [
      { figure: 'idle memory', against: 'node:http', most: 1 },
      { figure: 'idle memory', against: 'Express 5', most: 1 },
    ],
  },
  {
    name: 'start',
    kind: 'start',
    title: 'require, over an empty process',
    budgets: [{ figure: 'start', against: 'Express 5', most: 0.33 }],
  },
  {
    name: 'installed',
    kind: 'installed',
    title: 'installed',
    budgets: [
      // Published readable, with names and comments (docs/decisions/0013).
      { figure: 'size', against: 'Express 5', most: 1.1 },
      { figure: 'packages', against: 'Express 5', most: 1 },
    ],
  },
];

/**
 * The rows of these names, all when left out.
 *
 * @throws {Error} when there is none of a name
 */
export function chooseRows(names?: readonly string[]): readonly BoardRow[] {
  if (names === undefined) return boardRows;
  return names.map((name) => {
    const row = boardRows.find((candidate) => candidate.name === name);
    if (row !== undefined) return row;
    throw new Error(`There is no row '${name}'; there are ${boardRows.map((known) => known.name).join(', ')}`);
  });
}
