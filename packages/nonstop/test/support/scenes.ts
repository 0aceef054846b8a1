import assert = require('node:assert/strict');
import { test } from 'node:test';
import { isLeftOut } from '../parity/left-out.js';
import { oracle } from './oracle.js';
import { ours, type Framework } from './framework.js';

/** Uses a framework without a request, and returns what can be seen of it. */
export type Scene = (make: Framework) => unknown;

/** Declares one test for each scene: both frameworks give the same result or error. */
export function scenes(table: Readonly<Record<string, Scene>>): void {
  for (const [name, scene] of Object.entries(table)) {
    if (isLeftOut(name)) continue;
    test(name, async () => {
      const expected = await outcome(scene, oracle);
      assert.deepEqual(await outcome(scene, ours), expected);
    });
  }
}

async function outcome(scene: Scene, make: Framework): Promise<unknown> {
  try {
    return told(await scene(make));
  } catch (error) {
    return thrown(error);
  }
}

/** Name and message, without the position where the error was created. For a missing module only the first line. */
function thrown(error: unknown): unknown {
  return error instanceof Error ? ['throws', error.name, error.message.split('\n')[0]] : ['throws', error];
}

/** @returns the result of `act`, or its error, as text */
export function tried(act: () => unknown): unknown {
  try {
    return told(act());
  } catch (error) {
    return thrown(error);
  }
}

/** A value without the functions that each framework creates for itself. */
export function told(value: unknown): unknown {
  return typeof value === 'function' ? `a function of ${value.length}` : value;
}
