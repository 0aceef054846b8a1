import { routePattern } from '../routing/route-pattern.js';
import { pino } from './peers.js';
import type { Ended } from './traffic.js';

/**
 * A line of JSON for each request, on stdout.
 *
 * @throws ProductionError ERR_NONSTOP_PEER if pino is not installed
 */
export function accessLog(): (ended: Ended) => void {
  const log = pino()({ name: 'access' });
  return ({ req, res, held, start, aborted }) => {
    const { originalUrl: url = req.url } = req as { originalUrl?: string };
    const status = aborted ? 499 : res.statusCode;
    log.info(
      {
        method: req.method,
        url,
        route: routePattern(req),
        status,
        ms: start === undefined ? 0 : Math.round((performance.now() - start) * 1000) / 1000,
        address: held.socket.remoteAddress,
        forwarded: req.headers['x-forwarded-for'],
      },
      `${req.method} ${url} ${status}`,
    );
  };
}
