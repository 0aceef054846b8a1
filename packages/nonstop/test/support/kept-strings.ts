import assert = require('node:assert/strict');
import { execFile } from 'node:child_process';
import path = require('node:path');
import { test } from 'node:test';
import { promisify } from 'node:util';

const CHILD = path.join(__dirname, 'keeping-child.js');

/** Maximum cost of a kept string, relative to the oracle. */
const MOST = 1.5;

/** Octets by which two equal measurements may differ on a busy machine. A retained head costs 2,000. */
const NOISE = 500;

type Subject = 'node:http' | 'engine' | 'express' | 'nonstop';

async function octetsPerString(subject: Subject): Promise<Record<string, number>> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', CHILD, subject], {
    // As under Jest: packages that are loaded in the background would be counted.
    env: { ...process.env, JEST_WORKER_ID: '1' },
  });
  return JSON.parse(stdout) as Record<string, number>;
}

/** The cost of a string with the oracle and with the subject, by kind of string. */
type Round = Record<string, { expected: number; actual: number }>;

async function round(oracle: Subject, subject: Subject): Promise<Round> {
  const expected = await octetsPerString(oracle);
  const actual = await octetsPerString(subject);
  return Object.fromEntries(
    Object.keys(expected).map((name) => [name, { expected: expected[name], actual: actual[name] }]),
  );
}

/** @returns the medians; of a single round its own figures */
function medianOf(rounds: Round[]): Round {
  const middle = (figures: number[]): number => figures.toSorted((a, b) => a - b)[figures.length >> 1];
  const of = (name: string, key: 'expected' | 'actual'): number => middle(rounds.map((one) => one[name][key]));
  return Object.fromEntries(
    Object.keys(rounds[0]).map((name) => [name, { expected: of(name, 'expected'), actual: of(name, 'actual') }]),
  );
}

/** A figure below 0 means that older garbage was collected during the measurement. */
const isSmall = ({ expected, actual }: Round[string]): boolean => actual <= Math.max(expected, 0) * MOST + NOISE;

/**
 * Declares that strings of requests which a program keeps retain no more memory than those of `oracle`. The collector may leave
 * garbage of one measurement to the next, so if one round finds too much, the medians of three decide. A real leak shows in each round.
 */
export function keptStringsAreSmall(oracle: Subject, subject: Subject): void {
  test('a string kept from each request retains nothing else of the request', async (t) => {
    const rounds = [await round(oracle, subject)];
    if (!Object.values(rounds[0]).every(isSmall)) {
      rounds.push(await round(oracle, subject), await round(oracle, subject));
    }
    for (const [name, figures] of Object.entries(medianOf(rounds))) {
      await t.test(name, () => {
        const seen = `${figures.actual.toFixed(0)} octets, of ${figures.expected.toFixed(0)}`;
        assert.ok(isSmall(figures), seen);
        t.diagnostic(`${name}: ${seen}`);
      });
    }
  });
}
