import { routePattern } from '../routing/route-pattern.js';
import { say } from './lifecycle.js';
import { pino, type Destination, type Pino } from './peers.js';
import type { Ended } from './traffic.js';

/** Bytes that are kept while stdout takes none; later lines are lost. */
const BACKLOG = 1 << 20;

/** The most bytes of one write: those of a pipe that the system does not split (PIPE_BUF of Linux), so that the lines of several workers stay whole. */
const AT_ONCE = 4096;

/** Attempts to write what is left at the end of the process, 100 ms apart. */
const LAST_ATTEMPTS = 10;

/**
 * stdout, which may fail for a while (a full disk, a closed pipe) or be read too slowly. It is written in another thread: a reader that pauses must
 * not stop the service.
 */
function openLines(make: Pino): Destination {
  let troubled = false;
  let lost = 0;
  let attempts = Infinity;
  // Without `minLength`, flush() does nothing.
  const options = {
    fd: 1,
    sync: false,
    minLength: 1,
    maxLength: BACKLOG,
    maxWrite: AT_ONCE,
    retryEAGAIN: () => attempts-- > 0,
  };
  const lines = make.destination(options);
  const trouble = (why: string): void => {
    if (!troubled) say(`the access log ${why}`);
    troubled = true;
  };
  lines.on('error', (error) => trouble(`cannot be written: ${error!.message}`));
  lines.on('drop', () => {
    trouble('is read too slowly');
    lost++;
    lines.flush();
  });
  lines.on('drain', () => {
    if (troubled) say(`the access log goes on; ${lost} of its lines are lost`);
    troubled = false;
    lost = 0;
  });
  // pino calls it at the end of the process, and it would try for ever.
  const { flushSync } = lines;
  lines.flushSync = () => {
    if (troubled) return;
    attempts = LAST_ATTEMPTS;
    try {
      flushSync.call(lines);
    } catch {}
  };
  return lines;
}

/**
 * A line of JSON for each request, on stdout.
 *
 * @throws ProductionError ERR_NONSTOP_PEER if pino is not installed
 */
export function accessLog(): (ended: Ended) => void {
  const make = pino();
  const log = make({ name: 'access' }, openLines(make));
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
