import assert = require('node:assert/strict');
import { test } from 'node:test';
import { httpDate } from '../../src/core/clock.js';

/** A second is over long before, in ns. */
const HANG = 15_000_000_000n;

test('the date advances while a test has replaced Date and the timers by fakes', async () => {
  const { Date: realDate, setTimeout: realTimeout } = globalThis;
  const start = process.hrtime.bigint();
  // What armed the timer before the fakes came is over when the text has changed once.
  const untilAnother = async (): Promise<string> => {
    const before = httpDate();
    while (httpDate() === before && process.hrtime.bigint() - start < HANG) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.notEqual(httpDate(), before);
    return httpDate();
  };
  globalThis.Date = class extends realDate {
    constructor() {
      super(0);
    }
  } as DateConstructor;
  globalThis.setTimeout = (() => ({ unref() {} })) as unknown as typeof setTimeout;
  try {
    await untilAnother();
    const told = realDate.parse(await untilAnother());
    assert.ok(Math.abs(told - realDate.now()) < 60_000, new realDate(told).toISOString());
  } finally {
    globalThis.Date = realDate;
    globalThis.setTimeout = realTimeout;
  }
});
