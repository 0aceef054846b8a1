import assert = require('node:assert/strict');
import { execFile } from 'node:child_process';
import path = require('node:path');
import { test } from 'node:test';
import { promisify } from 'node:util';

const CHILD = path.join(__dirname, 'keeping-child.js');

/** What a kept string may cost of what it costs with the oracle. */
const MOST = 1.5;

/** Octets by which two measurements of the same may differ on a busy machine. A head that is kept alive is 2,000. */
const NOISE = 500;

type Subject = 'node:http' | 'engine' | 'express' | 'nonstop';

async function octetsPerString(subject: Subject): Promise<Record<string, number>> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', CHILD, subject]);
  return JSON.parse(stdout) as Record<string, number>;
}

/** Declares that strings of requests which a program keeps hold no more memory than those of `oracle`. */
export function keptStringsAreSmall(oracle: Subject, subject: Subject): void {
  test('a string that is kept of each request holds nothing else of it in memory', async (t) => {
    const expected = await octetsPerString(oracle);
    const actual = await octetsPerString(subject);
    for (const [name, octets] of Object.entries(expected)) {
      await t.test(name, () => {
        const seen = `${actual[name].toFixed(0)} octets, of ${octets.toFixed(0)}`;
        assert.ok(actual[name] <= octets * MOST + NOISE, seen);
        t.diagnostic(`${name}: ${seen}`);
      });
    }
  });
}
