import { accessLog } from './access-log.js';
import { lifecycle, messageOf, runChecks, say, within } from './lifecycle.js';
import { Measurements, type Metric } from './metrics.js';
import { Gate } from './overload.js';
import type { Health, HealthSource } from './health.js';
import type { Settings } from './options.js';
import { promClient } from './peers.js';
import { traffic, type Ended } from './traffic.js';

/** How long the application may take to collect its metrics, in milliseconds. */
const REGISTRY_TIMEOUT = 1000;

let measurements: Measurements | undefined;
let logs = false;

/** What is called for each finished request. */
const hearing: ((ended: Ended) => void)[] = [];

/**
 * Sets up the metrics, the log and the limits of this process's traffic that the options ask for, in addition to those that are set up already: a
 * process may serve several targets. @throws ProductionError ERR_NONSTOP_PEER
 */
export function observe(settings: Settings): void {
  const { metrics, accessLog: wantsLog, maxRequests, maxDelay, maxPerAddress } = settings;
  if (maxRequests + maxDelay + maxPerAddress > 0) traffic.gate = new Gate(settings, () => traffic.inHand);
  if (metrics && measurements === undefined) {
    promClient();
    const measured = (measurements = new Measurements(traffic));
    hearing.push((ended) => measured.ended(ended));
    traffic.onRefused = (code) => measured.countRefused(code);
  }
  if (wantsLog && !logs) {
    hearing.push(accessLog());
    logs = true;
  }
  if (hearing.length === 0) return;
  traffic.onEnded = hearing.length === 1 ? hearing[0] : (ended) => hearing.forEach((hear) => hear(ended));
}

/** The health of this process. */
export const ownHealth: HealthSource = {
  live: () => runChecks('live'),
  async ready(): Promise<Health> {
    const { phase } = lifecycle;
    if (phase === 'ready') return runChecks('ready');
    // The checks tell what a start waits for; an end waits for none.
    const checks = phase === 'starting' ? (await runChecks('ready')).checks : {};
    return { ok: false, checks: { process: phase, ...checks } };
  },
  async measured() {
    return [await ownMetrics()];
  },
};

/** The metrics of this process: Nonstop's, and those of the application in prom-client's default registry. */
async function ownMetrics(): Promise<Metric[]> {
  const own = measurements?.snapshot() ?? [];
  try {
    return [...own, ...(await within(REGISTRY_TIMEOUT, () => promClient().register.getMetricsAsJSON()))];
  } catch (error) {
    say(`metrics of the application: ${messageOf(error)}`);
    return own;
  }
}
