import timers = require('node:timers');

// What tests replace by fakes for a while (sinon, node:test, Jest, Vitest) is taken when this file is loaded: node keeps its own as
// well, and a deadline that was armed on a fake timer would never come.
const { Date: WallClock } = globalThis;
const { hrtime } = process;
export const { setTimeout: setRealTimeout, setImmediate: setRealImmediate } = timers;

/** Milliseconds since some moment in the past, never 0. It does not step when the system's clock is set. */
export function monotonicNow(): number {
  const [seconds, nanoseconds] = hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}

let cached = '';
let timer: NodeJS.Timeout | undefined;

/**
 * The current time as an IMF-fixdate (RFC 9110 §5.6.7), for the Date field. Formatting costs about 400 ns, so the text is
 * kept until the second ends; the timer that drops it never keeps a process alive.
 */
export function httpDate(): string {
  if (cached === '') {
    const now = new WallClock();
    cached = now.toUTCString();
    timer = setRealTimeout(forget, 1000 - now.getMilliseconds());
    timer.unref();
  }
  return cached;
}

function forget(): void {
  cached = '';
}
