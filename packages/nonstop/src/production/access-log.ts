import { routePattern } from '../routing/route-pattern.js';
import { say } from './lifecycle.js';
import { pino, type Destination } from './peers.js';
import type { Ended } from './traffic.js';

/** In ms: after a fault of stdout (a full disk, a closed pipe) lines are lost for this long. */
const PAUSE = 1000;

/**
 * stdout, which may fail for a while. pino's own destination emits the fault, keeps all lines for its next attempt, and tries for ever when the process
 * exits; so it is given up, and a new one is made later.
 */
class Lines {
  private destination: Destination | undefined;
  private nextAt = 0;
  private lost = 0;

  constructor(private readonly open: () => Destination) {}

  write(line: string): void {
    const { destination } = this;
    if (destination === undefined && performance.now() < this.nextAt) this.lost++;
    else (this.destination ??= this.opened()).write(line);
    // A fault may be told a tick later, so the first line of a new destination says nothing.
    if (this.lost === 0 || destination === undefined || this.destination !== destination) return;
    say(`the access log goes on; ${this.lost} of its lines are lost`);
    this.lost = 0;
  }

  private opened(): Destination {
    const made = this.open();
    made.on('error', (error) => {
      if (this.lost++ === 0) say(`the access log cannot be written: ${error.message}`);
      this.destination = undefined;
      this.nextAt = performance.now() + PAUSE;
      made.destroy();
    });
    return made;
  }
}

/**
 * A line of JSON for each request, on stdout.
 *
 * @throws ProductionError ERR_NONSTOP_PEER if pino is not installed
 */
export function accessLog(): (ended: Ended) => void {
  const make = pino();
  const log = make({ name: 'access' }, new Lines(() => make.destination({ fd: 1, sync: true })));
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
