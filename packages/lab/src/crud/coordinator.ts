import { STATUS_CODES } from 'node:http';
import nonstop = require('nonstop');
import { ask } from '../ask.js';
import type { Peer } from '../peer.js';
import type { RunRecord } from '../record.js';
import { readBrowserRun, saveBrowserRun } from './browser-record.js';
import type { CrudContestant } from './contestants.js';
import type { Database } from './database.js';
import { publishedCrud } from './published.js';
import { shapes, verbs } from './shapes.js';

/** The published number of repetitions. */
export const publishedRepetitions = 100;

export interface CoordinatorOptions {
  readonly contestants: Readonly<Record<string, CrudContestant>>;
  readonly peers: ReadonlyMap<string, Peer>;
  readonly database: Database;
  /** The head of a record of this run; its versions include those of the contestants, and `node` is theirs. */
  readonly run: RunRecord;
  /** Folder of the built page. Default: none. */
  readonly page?: string;
  /** Folder of the records. Default: `packages/lab/results`. */
  readonly results?: string;
}

/** The server of the page: its files, its data, and the endpoint that saves its samples. */
export function coordinator(options: CoordinatorOptions): ReturnType<typeof nonstop> {
  const { contestants, peers, database, run, page, results } = options;
  const app = nonstop();
  app.disable('x-powered-by');
  app.use((req, res, next) => {
    // A site whose name resolves to this address must not read or write anything (DNS rebinding).
    if (/^(localhost|127\.0\.0\.1)$/.test(req.hostname ?? '')) return next();
    res.status(403).json({ error: 'only http://127.0.0.1 and http://localhost are served' });
  });
  app.get('/api/setup', (req, res) => {
    res.json(setup(options));
  });
  app.get('/api/health', async (req, res) => {
    const asked = [...peers].map(async ([name, peer]) => [name, await answers(peer)] as const);
    res.json({ database: await database.answers(), contestants: Object.fromEntries(await Promise.all(asked)) });
  });
  app.post('/api/records', nonstop.json({ limit: '32mb' }), (req, res) => {
    const sent = readBrowserRun(req.body, Object.keys(contestants));
    res.status(201).json({ file: saveBrowserRun({ ...run, database: database.label }, sent, results) });
  });
  if (page !== undefined) app.use(isolated, nonstop.static(page));
  app.use((req, res) => {
    res.status(404).json({ error: `there is no ${req.method} ${req.path}` });
  });
  app.use(((error, _req, res, next) => {
    if (res.headersSent) return next(error);
    const { status = error instanceof RangeError ? 400 : 500 } = error as { status?: number };
    const message = error instanceof RangeError ? error.message : (STATUS_CODES[status] ?? 'error');
    res.status(status).json({ error: message });
  }) satisfies ErrorHandler);
  return app;
}

type ErrorHandler = (error: unknown, ...rest: Parameters<nonstop.RequestHandler>) => void;

function setup({ peers, database, run }: CoordinatorOptions): unknown {
  return {
    database: { label: database.label },
    machine: run.machine,
    versions: run.versions,
    repetitions: publishedRepetitions,
    contestants: [...peers].map(([name, { port }]) => ({
      name,
      version: run.versions[name],
      origin: `http://127.0.0.1:${port}`,
    })),
    shapes: Object.entries(shapes).map(([name, { title, make }]) => ({ name, title, record: { value: make() } })),
    verbs,
    published: publishedCrud,
  };
}

async function answers(peer: Peer): Promise<boolean> {
  try {
    return peer.alive && (await ask(peer.port, { method: 'GET', path: '/control' })).status === 200;
  } catch {
    return false;
  }
}

/** Gives the page the precise clock; `packages/lab/peers/crud/serve.js` does so for its frames. */
const isolated: nonstop.RequestHandler = (req, res, next) => {
  res.set({ 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' });
  next();
};
