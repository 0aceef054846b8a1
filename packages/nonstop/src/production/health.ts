import http from 'node:http';
import { listenError } from './errors.js';
import { messageOf, type CheckResults } from './lifecycle.js';
import type { Measured, Metric } from './metrics.js';
import { NO_PORT, type Settings } from './options.js';
import { promClient } from './peers.js';

export interface Health {
  readonly ok: boolean;
  readonly checks: CheckResults;
}

/** The health of a process, or of all that it supervises. */
export interface HealthSource {
  live(): Promise<Health>;
  ready(): Promise<Health>;
  /** The metrics of each process. */
  measured(): Promise<Measured>;
}

/**
 * Serves `/livez`, `/readyz` and `/metrics` on a separate port.
 *
 * @returns undefined without an option for this port
 * @throws ProductionError ERR_NONSTOP_LISTEN, ERR_NONSTOP_PEER
 */
export async function serveHealth(settings: Settings, source: HealthSource): Promise<http.Server | undefined> {
  const { healthPort, healthHost, metrics } = settings;
  if (healthPort === NO_PORT) return undefined;
  const scrape = metrics ? scraper(source) : undefined;
  const server = http.createServer((req, res) => {
    answer(req, res).catch((error: unknown) => {
      if (res.headersSent) res.destroy();
      else res.writeHead(500, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`${messageOf(error)}\n`);
    });
  });
  const answer = async ({ url }: http.IncomingMessage, res: http.ServerResponse): Promise<void> => {
    const path = url?.split('?', 1)[0];
    if (path === '/livez') return tell(res, await source.live());
    if (path === '/readyz') return tell(res, await source.ready());
    if (path === '/metrics' && scrape !== undefined) return scrape(res);
    res.writeHead(404).end();
  };
  await new Promise<void>((resolve, reject) => {
    server.on('error', (error) => reject(listenError(error, { host: healthHost, port: healthPort })));
    server.listen(healthHost === '' ? { port: healthPort } : { port: healthPort, host: healthHost }, resolve);
  });
  // The health port does not keep a process alive that has no other server.
  server.unref();
  return server;
}

function tell(res: http.ServerResponse, { ok, checks }: Health): void {
  const text = JSON.stringify({ status: ok ? 'ok' : 'failed', checks });
  res.writeHead(ok ? 200 : 503, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  res.end(`${text}\n`);
}

const asSingle = (metric: Metric): Metric =>
  metric.aggregator === 'omit' ? { ...metric, aggregator: 'first' } : metric;

function scraper(source: HealthSource): (res: http.ServerResponse) => Promise<void> {
  const { AggregatorRegistry } = promClient();
  return async (res) => {
    const all = await source.measured();
    // Some metrics, such as the start of a process, are left out of sums. They are right where there is nothing to add.
    const isOne = all.length === 1;
    const registry = AggregatorRegistry.aggregate(isOne ? all.map((each) => each.map(asSingle)) : all);
    const text = await registry.metrics();
    res.writeHead(200, { 'Content-Type': registry.contentType }).end(text);
  };
}
