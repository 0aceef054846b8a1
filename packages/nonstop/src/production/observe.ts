import { perProcess } from '../core/shared.js';
import { accessLog } from './access-log.js';
import { lifecycle, messageOf, runChecks, say, within } from './lifecycle.js';
import { Measurements, type Metric } from './metrics.js';
import { Gate } from './overload.js';
import type { Health, HealthSource } from './health.js';
import { wrongValue, type Settings } from './options.js';
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
 * process may serve several targets.
 *
 * @returns a function that removes the limits, for a target that could not be served
 * @throws ProductionError ERR_NONSTOP_PEER, ERR_NONSTOP_OPTION
 */
export function observe(settings: Settings): () => void {
  const { metrics, accessLog: wantsLog } = settings;
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
  if (hearing.length > 0) {
    traffic.onEnded = hearing.length === 1 ? hearing[0] : (ended) => hearing.forEach((hear) => hear(ended));
  }
  return limit(settings);
}

const LIMITS = ['maxRequests', 'maxDelay', 'maxPerAddress', 'clientAddress', 'retryAfter'] as const;

/** The limits of this process, and how many targets have asked for them. */
const limited = perProcess('limits', (): { by: Settings | undefined; targets: number } => ({
  by: undefined,
  targets: 0,
}));

/**
 * A second target cannot have limits of its own: they count the requests of the whole process.
 *
 * @returns a function that removes them
 * @throws ProductionError ERR_NONSTOP_OPTION if the process has other limits
 */
function limit(settings: Settings): () => void {
  const { maxRequests, maxDelay, maxPerAddress } = settings;
  if (maxRequests + maxDelay + maxPerAddress === 0) return () => undefined;
  limited.by ??= settings;
  for (const name of LIMITS) {
    const [given, before] = [settings[name], limited.by[name]];
    if (given === before) continue;
    const why = 'as given before: limits are those of the whole process, so give them in one place';
    throw wrongValue(name, given, `${before}, ${why}`);
  }
  limited.targets++;
  traffic.gate ??= new Gate(settings, () => traffic.inHand);
  return () => {
    limited.targets--;
    if (limited.targets > 0) return;
    traffic.gate?.stop();
    traffic.gate = null;
    limited.by = undefined;
  };
}

/** The health of this process. */
export const ownHealth: HealthSource = {
  live: () => runChecks('live'),
  async ready(): Promise<Health> {
    const { phase } = lifecycle;
    if (phase === 'ready') {
      const health = await runChecks('ready');
      return traffic.listens ? health : { ok: false, checks: { process: 'no server listens', ...health.checks } };
    }
    // While starting, the checks say what is missing. A drain waits for none.
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
