import assert = require('node:assert/strict');
import { test } from 'node:test';
import { isLeftOut } from '../parity/left-out.js';
import { oracle } from './oracle.js';
import { ours, type Framework } from './framework.js';

/** Does something with a framework, without a request, and tells what is seen of it. */
export type Scene = (make: Framework) => unknown;

/** Declares one test a scene: it ends alike with both frameworks, what it throws included. */
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

/** Name and message: where it was made is no part of an error. Of a module that is missing the first line is. */
function thrown(error: unknown): unknown {
  return error instanceof Error ? ['throws', error.name, error.message.split('\n')[0]] : ['throws', error];
}

/** @returns what `act` gives, or what it throws, told */
export function tried(act: () => unknown): unknown {
  try {
    return told(act());
  } catch (error) {
    return thrown(error);
  }
}

/** A value without the functions that each framework makes for itself. */
export function told(value: unknown): unknown {
  return typeof value === 'function' ? `a function of ${value.length}` : value;
}
