// The server of `npm run soak -- --middleware`, in its own process, so that its memory can be measured. Argument: the
// door. Reports its port, takes samples on request, and closes on request.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import http = require('node:http');
import type { AddressInfo } from 'node:net';
import type express = require('express');
import { ours } from '../../support/framework.js';
import { promise, served, type By } from '../../support/served.js';
import { CappedStore, type SessionModule } from './capped-store.js';
import type { Sample } from './run.js';
import { bigText, partsOf, sha1 } from './texts.js';

type Make = (options?: object) => express.RequestHandler;
interface Multer {
  any(): express.RequestHandler;
}
interface Upload {
  readonly fieldname: string;
  readonly buffer: Buffer;
}

const compression = require('compression') as Make;
const session = require('express-session') as SessionModule;
const cookieSession = require('cookie-session') as Make;
const multer = require('multer') as (options?: object) => Multer;
const { createProxyMiddleware } = require('http-proxy-middleware') as { createProxyMiddleware: Make };

const by = process.argv[2] as By;
const counts = { requests: 0, finished: 0, cut: 0, failed: 0 };
const warnings: string[] = [];
process.on('warning', ({ name, message }) => name === 'MaxListenersExceededWarning' && warnings.push(message));

function application(): express.Express {
  const app = ours();
  if (by === 'node:http') app.set('http engine', 'node');
  return app.set('env', 'test');
}

/** The server behind the proxy. */
function behind(): express.Express {
  const app = application();
  app.get('/big/:id', (req, res) => void res.type('text').send(bigText(req.params.id)));
  app.post('/echo/:id', (req, res) => {
    const hash = createHash('sha1');
    req.on('data', (part: Buffer) => hash.update(part));
    req.on('end', () => void res.json({ id: req.params.id, hash: hash.digest('hex') }));
  });
  return app;
}

type Kept = Record<string, unknown> & { views?: number; visitor?: unknown; destroy?: (done: () => void) => void };
const keptOf = (req: object): Kept => (req as { session: Kept }).session;

/** Counts visits in a session of either kind. */
function visits(): express.Router {
  const router = ours.Router();
  const tell = (req: express.Request, res: express.Response): void => {
    const { views = 0, visitor } = keptOf(req);
    res.json({ id: req.params['id'], views, visitor });
  };
  router.get('/count/:id', (req, res) => {
    const kept = keptOf(req);
    kept.views = (kept.views ?? 0) + 1;
    kept.visitor ??= req.query['visitor'];
    // As with a database, the answer comes in a later turn than the request.
    setImmediate(tell, req, res);
  });
  router.get('/who/:id', tell);
  router.get('/leave/:id', (req, res) => keptOf(req).destroy?.(() => void res.json({ id: req.params.id })));
  return router;
}

async function inParts(id: string, res: express.Response): Promise<void> {
  for (const part of partsOf(id)) {
    if (!res.write(part)) await Promise.race([once(res, 'drain'), once(res, 'close')]);
    if (res.destroyed) return;
  }
  res.end();
}

function front(target: string, agent: http.Agent): express.Express {
  const app = application();
  app.use((req, res, next) => {
    counts.requests++;
    res.on('close', () => (res.writableFinished ? counts.finished++ : counts.cut++));
    res.setHeader('X-Id', req.path.split('/').at(-1) ?? '');
    next();
  });
  app.use(compression());
  app.use('/proxy', createProxyMiddleware({ target, agent, on: { error: proxyFailed, proxyReq: followClient } }));
  const store = new CappedStore(session);
  app.use('/session', session({ secret: 'soak', resave: false, saveUninitialized: false, store }), visits());
  app.use('/cookies', cookieSession({ name: 'kept', keys: ['soak'] }), visits());
  app.get('/text/:id', (req, res) => void res.type('text').send(bigText(req.params.id)));
  app.get('/parts/:id', (req, res) => void inParts(req.params.id, res.type('text')));
  app.post('/json/:id', ours.json({ limit: 65_536 }), (req, res) => {
    res.json({ id: req.params.id, hash: sha1(JSON.stringify(req.body)) });
  });
  app.post('/form/:id', multer({ limits: { fileSize: 1_000_000 } }).any(), (req, res) => {
    const { files = [] } = req as unknown as { files?: Upload[] };
    const hashes = files.map(({ fieldname, buffer }) => [fieldname, sha1(buffer)]);
    res.json({ id: req.params.id, fields: { ...(req.body as object) }, hashes });
  });
  const fail: express.ErrorRequestHandler = (error: { status?: number; message: string }, req, res, _next) => {
    counts.failed++;
    if (res.headersSent) res.destroy();
    else res.status(error.status ?? 500).json({ error: error.message });
  };
  app.use(fail);
  return app;
}

/** If a client leaves in the middle of an answer, http-proxy leaves its own request to the server behind open, on both doors. */
function followClient(asked: http.ClientRequest, _req: unknown, res: http.ServerResponse): void {
  forwarded.set(res, asked);
  res.on('close', () => res.writableFinished || asked.destroy());
}

/** The proxy's own requests, by the response that each is for. */
const forwarded = new WeakMap<object, http.ClientRequest>();

/** A client that has left is not an error of the proxy. Other errors show as a wrong status, with the cause as body. */
function proxyFailed(
  { code, message }: NodeJS.ErrnoException,
  _req: unknown,
  res: http.ServerResponse | { destroy(): void },
): void {
  counts.failed++;
  const reused = forwarded.get(res)?.reusedSocket === true ? 'kept' : 'new';
  if (res instanceof http.ServerResponse && !res.headersSent)
    res.writeHead(502).end(`${code}: ${message}, on a ${reused} connection`);
  else res.destroy();
}

async function listening(app: express.Express): Promise<http.Server> {
  const server = promise(app.listen(0, '127.0.0.1'), by);
  server.keepAliveTimeout = 120_000;
  await once(server, 'listening');
  return server;
}

const portOf = (server: http.Server): number => (server.address() as AddressInfo).port;

const connections = (server: http.Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });

async function sample(server: http.Server): Promise<Sample> {
  const { gc } = globalThis as { gc?: () => void };
  for (let pass = 0; pass < 3; pass++) {
    await new Promise((resolve) => setImmediate(resolve));
    gc?.();
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  const open = await connections(server);
  return { heapUsed, external, rss, open, ...counts, served: { ...served() }, warnings };
}

async function main(): Promise<void> {
  const backend = await listening(behind());
  const agent = new http.Agent({ keepAlive: true });
  const server = await listening(front(`http://127.0.0.1:${portOf(backend)}`, agent));
  process.on('disconnect', () => process.exit());
  process.on('message', (asked) => {
    if (asked === 'sample') void sample(server).then((taken) => process.send?.(taken));
    else void close();
  });
  const close = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    await closed;
    agent.destroy();
    backend.close();
    process.send?.(await sample(server));
    process.disconnect();
  };
  process.send?.(portOf(server));
}

void main();
