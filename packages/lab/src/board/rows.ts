import type { Figure } from '../summary.js';

/** The limit of Nonstop's figure, as a share of another contestant's. */
export interface Budget {
  readonly figure:
    | Figure
    | 'idle memory'
    | 'waiting memory'
    | 'loaded memory'
    | 'start'
    | 'first requests'
    | 'size'
    | 'packages';
  readonly against: string;
  /** One for all, or by the major of Node. */
  readonly most: number | Readonly<Record<number, number>>;
}

/**
 * One line of the board. A load is the scenario of its name in `packages/lab/scenarios/`; the other rows are measured in
 * their own ways.
 */
export interface BoardRow {
  readonly name: string;
  readonly kind: 'load' | 'idle' | 'waiting' | 'memory' | 'start' | 'first' | 'installed';
  readonly title: string;
  readonly budgets: readonly Budget[];
}

type Most = Budget['most'];

const cpu = (against: string, most: Most): Budget => ({ figure: 'cpu', against, most });
const node = (most: Most): Budget => cpu('node:http', most);
const express = (most: Most): Budget => cpu('Express 5', most);
const fastify = cpu('Fastify', { 20: 0.65, 22: 0.65, 24: 0.68, 26: 0.75 });
/** The rows over HTTP/2, beside the compatibility API of `node:http2` by hand. */
const overHttp2 = [cpu('node:http2', 0.75), cpu('Fastify', 0.8)];
const load = (name: string, title: string, ...budgets: Budget[]): BoardRow => ({ name, kind: 'load', title, budgets });

/**
 * The board. Ratios are of medians within one run; a contestant that is not in a row is not measured there. In most rows Express 5 is
 * measured for information: it has a budget where packages do most of the work, and in some that are not loads.
 */
export const boardRows: readonly BoardRow[] = [
  load('hello', "hello, Express's default fields", node({ 20: 0.55, 22: 0.55, 24: 0.6, 26: 0.68 }), fastify),
  load('query-api', 'query API, no keep-alive', node({ 20: 0.45, 22: 0.45, 24: 0.5, 26: 0.7 }), fastify),
  load('varied', 'requests that differ', node({ 20: 0.58, 22: 0.58, 24: 0.64, 26: 0.7 }), fastify),
  load('async', 'requests that differ, behind an await', node({ 20: 0.62, 22: 0.62, 24: 0.7, 26: 0.75 }), fastify),
  load('async-db', 'three awaits, async middleware, errors', fastify),
  load(
    'proxy',
    'requests that differ, over two connections of a proxy',
    node({ 20: 0.58, 22: 0.58, 24: 0.64, 26: 0.7 }),
  ),
  load('in-front', 'requests that differ, behind a listener in front of the application'),
  load('json-10k', 'JSON of 10 kB', fastify),
  load('json-100k', 'JSON of 100 kB', fastify),
  load('echo', 'echo a parameter', node({ 20: 0.6, 22: 0.6, 24: 0.62, 26: 0.7 }), fastify),
  load('getter', 'getter, JSON', node({ 20: 0.6, 22: 0.6, 24: 0.62, 26: 0.7 }), fastify),
  load('browser', 'browser-like request', node({ 20: 0.45, 22: 0.45, 24: 0.48, 26: 0.55 }), fastify),
  load('pipelined', 'pipelined 16 deep', node(0.17), fastify),
  load('post-json', 'POST JSON 1 KB', node({ 20: 0.6, 22: 0.6, 24: 0.6, 26: 0.65 }), fastify),
  load('routes-1000', 'the last of 1,000 routes', cpu('Nonstop, one route', 1.1), fastify),
  load('middleware-20', '20 middleware', node(1)),
  load('parts', 'an answer in three parts', node({ 20: 0.62, 22: 0.62, 24: 0.6, 26: 0.62 })),
  load('static', 'express.static, 10 KB', node(1)),
  load('files-200', 'express.static, 200 files in turn', node({ 20: 0.8, 22: 0.8, 24: 0.75, 26: 0.8 })),
  load('file-callback', 'res.sendFile() with a callback, 10 KB'),
  load('file-300k', 'express.static, 300 kB'),
  load('long-target', 'a target of 2 kB'),
  load('long-head', 'hello, with 8 kB of cookies'),
  load('upload-100k', 'a body of 100 kB, read by hand'),
  load('raw-300k', 'express.raw, a body of 300 kB'),
  load('stream-1m', 'a stream of 1 MB, piped'),
  load('upload-1m', 'upload of 1 MB, multer'),
  load('view', 'ejs view, cached'),
  load('ejs-table', 'ejs, a table of 100 rows'),
  load('gzip-10k', 'JSON of 10 kB, compressed'),
  load('session-valkey', 'a session in Valkey or Redis'),
  load('stack', 'middleware stack', express({ 20: 0.2, 22: 0.2, 24: 0.45, 26: 0.45 })),
  load('nest', 'a Nest controller, guard and pipe', express({ 20: 0.55, 22: 0.55, 24: 0.8, 26: 0.8 })),
  load('stack-gzip', 'middleware stack, 5 KB compressed'),
  load('https', 'https, keep-alive', node({ 20: 0.7, 22: 0.7, 24: 0.72, 26: 0.78 }), fastify),
  load('https-new', 'https, a handshake each'),
  load('https-resumed', 'https, a resumed session each'),
  load('h2-hello', 'HTTP/2, hello', ...overHttp2),
  load('h2-json', 'HTTP/2, JSON', ...overHttp2),
  load('h2-post-1k', 'HTTP/2, POST JSON 1 KB', ...overHttp2),
  load('h2-file-10k', 'HTTP/2, express.static, 10 KB', cpu('node:http2', 0.75)),
  load('h2-one', 'HTTP/2 over TLS, one stream at a time', cpu('Nonstop, HTTP/1.1', 1.5)),
  // At most 1 µs: a hello needs 8.1 to 8.5 µs.
  load('metrics', 'hello, with metrics', cpu('Nonstop, no metrics', 1.12)),
  // "As app.listen()", with a margin for the difference between two runs of one program.
  load('user-server', "the user's own createServer", cpu('Nonstop, app.listen()', 1.05)),
  // `Nonstop` is `nonstop/v4` in these.
  load('hello-v4', 'hello, Express 4', cpu('Express 4', { 20: 0.09, 24: 0.37 }), cpu('Nonstop for 5', 1.05)),
  load('echo-v4', 'echo a parameter, Express 4', cpu('Express 4', { 20: 0.2, 24: 0.5 }), cpu('Nonstop for 5', 1.05)),
  load(
    'post-json-v4',
    'POST JSON 1 KB, Express 4',
    cpu('Express 4', { 20: 0.25, 24: 0.5 }),
    cpu('Nonstop for 5', 1.05),
  ),
  load(
    'middleware-20-v4',
    '20 middleware, Express 4',
    cpu('Express 4', { 20: 0.25, 24: 0.5 }),
    cpu('Nonstop for 5', 1.05),
  ),
  {
    name: 'idle',
    kind: 'idle',
    title: 'memory of an idle connection',
    budgets: [
      { figure: 'idle memory', against: 'node:http', most: 0.55 },
      { figure: 'idle memory', against: 'Express 5', most: 1 },
    ],
  },
  {
    name: 'waiting',
    kind: 'waiting',
    title: 'memory of a connection with a request that waits',
    budgets: [{ figure: 'waiting memory', against: 'node:http', most: 1 }],
  },
  {
    name: 'memory-hello',
    kind: 'memory',
    title: 'memory under load, hello',
    budgets: [
      { figure: 'loaded memory', against: 'node:http', most: 1 },
      { figure: 'loaded memory', against: 'Express 5', most: 0.65 },
    ],
  },
  {
    name: 'memory-async',
    kind: 'memory',
    title: 'memory under load, requests that differ, behind an await',
    budgets: [{ figure: 'loaded memory', against: 'node:http', most: 1 }],
  },
  {
    name: 'start',
    kind: 'start',
    title: 'require, over an empty process',
    budgets: [{ figure: 'start', against: 'Express 5', most: 0.33 }],
  },
  {
    name: 'first-requests',
    kind: 'first',
    title: 'CPU time from the start of the process until its 1,000th request, which differ',
    budgets: [],
  },
  {
    name: 'installed',
    kind: 'installed',
    title: 'installed',
    budgets: [
      // Published readable, with names and comments (docs/decisions/0013), and with both Expresses (docs/decisions/0016).
      { figure: 'size', against: 'Express 5', most: 1.25 },
      { figure: 'packages', against: 'Express 5', most: 1 },
    ],
  },
];

/**
 * The rows of these names, all when left out.
 *
 * @throws {Error} if a name is unknown
 */
export function chooseRows(names?: readonly string[]): readonly BoardRow[] {
  if (names === undefined) return boardRows;
  return names.map((name) => {
    const row = boardRows.find((candidate) => candidate.name === name);
    if (row !== undefined) return row;
    throw new Error(`There is no row '${name}'; there are ${boardRows.map((known) => known.name).join(', ')}`);
  });
}
