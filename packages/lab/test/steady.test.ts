import assert = require('node:assert/strict');
import { describe, test } from 'node:test';
import { needsRound } from '../src/steady.js';

const taken = (contestant: string, ...times: number[]): { contestant: string; cpu: number }[] =>
  times.map((cpu) => ({ contestant, cpu }));

const agreed = taken('Nonstop', 10, 10, 10, 10.5, 30);
const apart = taken('Express 5', 10, 20, 10, 20, 10);

describe('a load needs another round', () => {
  for (const { what, round, mostRounds, samples, needed } of [
    {
      what: 'that was planned, whatever the samples are',
      round: 4,
      mostRounds: undefined,
      samples: agreed,
      needed: true,
    },
    { what: 'not beyond those that were planned', round: 5, mostRounds: undefined, samples: apart, needed: false },
    { what: 'beyond them if the samples do not agree', round: 5, mostRounds: 9, samples: apart, needed: true },
    {
      what: 'if those of one contestant do not',
      round: 8,
      mostRounds: 9,
      samples: [...agreed, ...apart],
      needed: true,
    },
    { what: 'not if those of each contestant do', round: 5, mostRounds: 9, samples: agreed, needed: false },
    {
      what: 'not because two contestants differ',
      round: 5,
      mostRounds: 9,
      samples: [...agreed, ...taken('Express 5', 50, 50, 50, 50, 50)],
      needed: false,
    },
    { what: 'not beyond the most', round: 9, mostRounds: 9, samples: apart, needed: false },
    { what: 'not if all contestants have failed', round: 5, mostRounds: 9, samples: [], needed: false },
  ]) {
    test(what, () => assert.equal(needsRound(round, { rounds: 5, mostRounds }, samples), needed));
  }
});
