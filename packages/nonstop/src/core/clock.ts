import { AsyncResource } from 'node:async_hooks';
import timers = require('node:timers');
import type vm = require('node:vm');

// Timers are taken when this file is loaded, because tests replace them by fakes (sinon, node:test, Jest, Vitest). node
// does the same. A deadline on a fake timer would never come.
const { Date: WallClock } = globalThis;
const { hrtime } = process;
export const { setTimeout: setRealTimeout, setImmediate: setRealImmediate } = timers;

/**
 * The process, for its ticks. Under Jest each test file has a copy of `process`, whose `nextTick()` fake timers replace. With the copy a
 * response would never be finished, so this is the original, which node's own code uses too.
 */
export const nodesProcess: Pick<typeof process, 'nextTick'> =
  process.env['JEST_WORKER_ID'] === undefined
    ? process
    : ((require('node:vm') as typeof vm).runInThisContext('process') as typeof process);

/** Nothing that keeps a process alive: `jest --detectOpenHandles` asks. */
class Outside extends AsyncResource {
  hasRef(): boolean {
    return false;
  }
}

/** The async context in which this file is loaded. */
const outside = new Outside('NonstopTimer');

/**
 * A timer for all connections, outside of the async context of the one that starts it, whose stores it would keep.
 *
 * @param ms milliseconds
 */
export function setOutsideTimeout(act: () => void, ms: number): NodeJS.Timeout {
  return outside.runInAsyncScope(setRealTimeout as (act: () => void, ms: number) => NodeJS.Timeout, undefined, act, ms);
}

/** The longest time that a timer takes, in milliseconds: node does not wait for a longer one. */
export const LONGEST_TIME = 2 ** 31 - 1;

/** node's default of `connectionsCheckingInterval`, in milliseconds. */
const CHECKING_INTERVAL = 30_000;

/** `connectionsCheckingInterval` for a timer, in milliseconds. A program may write any value there: one that is no time stands for the default. */
export function checkingInterval(given: number | undefined): number {
  return given !== undefined && given >= 0 ? Math.min(given, LONGEST_TIME) : CHECKING_INTERVAL;
}

const [firstSecond] = hrtime();

/**
 * Whole milliseconds of a monotonic clock, never 0. Setting the system's clock does not change it. Numbers below 2^31 (24 days) are not
 * objects in V8; each connection keeps one.
 */
export function monotonicNow(): number {
  const [seconds, nanoseconds] = hrtime();
  return ((seconds - firstSecond) | 0) * 1000 + ((nanoseconds / 1e6) | 0) + 1;
}

/** Milliseconds since 1970, by the system's clock. */
export const wallClockNow = WallClock.now;

let cached = '';

/**
 * The current time as an IMF-fixdate (RFC 9110 §5.6.7), for the Date field. Formatting costs about 400 ns, so the text is
 * kept until the second ends; the timer that drops it never keeps a process alive.
 */
export function httpDate(): string {
  if (cached === '') {
    const now = new WallClock();
    cached = now.toUTCString();
    setRealTimeout(forget, 1000 - now.getMilliseconds()).unref();
  }
  return cached;
}

function forget(): void {
  cached = '';
}
