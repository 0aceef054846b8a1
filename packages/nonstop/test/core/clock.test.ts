import assert = require('node:assert/strict');
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { httpDate } from '../../src/core/clock.js';
import { compiled } from '../support/paths.js';

/** Much longer than a second, in ns. */
const HANG = 15_000_000_000n;

test('the date advances while a test has replaced Date and the timers by fakes', async () => {
  const { Date: realDate, setTimeout: realTimeout } = globalThis;
  const start = process.hrtime.bigint();
  // A timer that was set before the fakes may change the text once; the second change proves that the date advances.
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

test('what it keeps for its timers keeps no process alive, as jest asks', async () => {
  // Seen when it is made, and by loading alone.
  const program = `const seen = [];
    require('node:async_hooks').createHook({ init: (id, type, trigger, resource) => void seen.push([type, resource.hasRef?.()]) }).enable();
    require(${JSON.stringify(compiled('src/core/clock.js'))});
    console.log(JSON.stringify(seen.filter(([type]) => type === 'NonstopTimer')));`;
  assert.equal((await promisify(execFile)(process.execPath, ['-e', program])).stdout, '[["NonstopTimer",false]]\n');
});
