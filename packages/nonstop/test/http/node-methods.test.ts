import assert = require('node:assert/strict');
import { before, describe, test } from 'node:test';
import { performBoth } from '../support/plays.js';
import { told, unlike } from '../support/seen-differences.js';
import { knownDifference } from './known-differences.js';
import { states, type State } from './message-states.js';
import { rowPlay, type Company } from './node-methods.js';
import { actsOf, type Act } from './node-methods-table.js';

/** One row: one act on a message in one state. */
interface Row {
  readonly state: State;
  readonly act: Act;
  readonly company: Company;
}

// All 16,000 rows take half a minute, so a run takes every eighth: each method in some states, in each state all kinds of methods.
// `METHOD_ROWS=all` takes all of them.
const EVERY = process.env['METHOD_ROWS'] === 'all' ? 1 : 8;
const LANES = 24;
const COMPANIES: readonly Company[] = ['watched', 'left alone'];
const NOTHING: Act = { name: 'nothing', run: () => undefined };

for (const state of states) {
  describe(state.name, () => {
    const bare = new Map<Company, readonly string[]>();

    before(async () => {
      for (const company of COMPANIES) bare.set(company, await differences({ state, act: NOTHING, company }));
    });

    for (const company of COMPANIES) {
      test(`and is ${company} shows the same as on node:http`, () => {
        const row = { state: state.name, act: NOTHING.name, company };
        const found = (bare.get(company) ?? []).filter((line) => knownDifference({ ...row, line }) === undefined);
        assert.deepEqual(found, []);
      });
    }

    test("takes each of node's methods as on node:http", async () => {
      const found = await inLanes(rowsOf(state), async (row) => {
        const { act, company } = row;
        const always = bare.get(company) ?? [];
        return (await differences(row))
          .filter((line) => !always.includes(line))
          .filter((line) => knownDifference({ state: state.name, act: act.name, company, line }) === undefined)
          .map((line) => `${act.name}, ${company}: ${line}`);
      });
      assert.deepEqual(found, []);
    });
  });
}

function rowsOf(state: State): Row[] {
  const rows = actsOf(state.message).flatMap((act) => COMPANIES.map((company) => ({ state, act, company })));
  const turn = states.indexOf(state);
  return rows.filter((_row, i) => (i + turn) % EVERY === 0);
}

async function differences({ state, act, company }: Row): Promise<string[]> {
  return unlike(...(await performBoth(() => rowPlay(state, act, company)))).map(told);
}

async function inLanes(rows: readonly Row[], work: (row: Row) => Promise<string[]>): Promise<string[]> {
  const found: string[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < rows.length) found.push(...(await work(rows[next++])));
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return found;
}
