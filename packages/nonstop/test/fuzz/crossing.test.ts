import assert = require('node:assert/strict');
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { compiled } from '../support/paths.js';
import { doors } from '../support/doors.js';
import type { Crossing } from './crossing/run.js';
import type { Kind } from './crossing/world.js';

const [, engine] = doors;
const CLIENTS = 60;
const VISITS = 300;

// Each octet that a client sends has the client's name, and each handler looks for another one: in the request, in pieces of bodies that it has
// kept, and in what the programs of other requests have changed. node's parser loses octets in some of these cases, so that it is no oracle here.
async function crossing(kind: Kind, seed: number): Promise<Crossing> {
  const args = [
    compiled('test/fuzz/crossing/run.js'),
    engine.name,
    kind,
    String(seed),
    String(CLIENTS),
    String(VISITS),
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, DEBUG: '' } });
  return JSON.parse(stdout) as Crossing;
}

function assertApart({ faults, answers, unused }: Crossing): void {
  assert.deepEqual(faults, []);
  assert.deepEqual(unused, [], 'behaviours that no request had');
  assert.ok(answers > VISITS, `${answers} answers`);
}

const skip = engine.serves !== 'engine' && 'the engine is switched off';

for (const seed of [1, 2]) {
  test(
    `nothing crosses from a client to another one while handlers throw, stall, abort and spoil what they get (${seed})`,
    { skip },
    async () => {
      assertApart(await crossing('throwing', seed));
    },
  );

  test(`nothing crosses from a client to another one that is read inside its handler (${seed})`, { skip }, async () => {
    const result = await crossing('nested', seed);
    assertApart(result);
    assert.ok(result.nested > 10, `${result.nested} connections were read inside a handler`);
  });
}
