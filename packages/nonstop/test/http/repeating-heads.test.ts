import type http = require('node:http');
import { eachSameThroughBothDoors, type Scenario } from '../support/both-doors.js';
import { seeded, type Seeded } from '../support/seeded.js';

// Lines that repeat are kept, and heads that begin with the same lines are kept in one piece. What one answer left must not show in the next.

const NAMES = ['X-One', 'x-one', 'X-Two', 'Content-Type', 'Cache-Control', 'Content-Length', 'ETag', 'Vary'];
const VALUES = ['a', 'b', 'aa', 'ab', 'a'.repeat(250), 'b'.repeat(300), '', '\xe9', 'text/plain'];
const REASONS = ['OK', 'Ok', 'Fine'];

/** Sets fields by a seed, most of them the same as in the answers before. */
function setFields(res: http.ServerResponse, random: Seeded): void {
  if (random.chance(0.2)) res.statusCode = random.pick([200, 201, 404]);
  if (random.chance(0.1)) res.statusMessage = random.pick(REASONS);
  const usual = random.chance(0.6);
  const names = usual ? NAMES.slice(0, 1 + random.below(3)) : NAMES;
  for (const name of names) {
    if (random.chance(usual ? 0.05 : 0.5)) continue;
    if (name === 'Content-Length') res.setHeader(name, '4');
    else res.setHeader(name, usual && random.chance(0.95) ? 'the usual' : random.pick(VALUES));
  }
  if (random.chance(0.1)) res.setHeader('X-List', ['1', '2']);
  if (random.chance(0.1)) res.setHeader('X-Number', 5);
  if (random.chance(0.1)) res.sendDate = false;
}

const scenarios: Scenario[] = Array.from({ length: 12 }, (_, seed) => ({
  name: `the heads of 60 answers one after another, seed ${seed}`,
  send: Array.from({ length: 60 }, (__, at) => `GET /${at} HTTP/1.1\r\nHost: a\r\n\r\n`),
  answers: 60,
  handler: (req, res) => {
    setFields(res, seeded(seed * 1000 + Number(req.url!.slice(1))));
    res.end('body');
  },
}));

/** Values that differ for 90 answers, then are equal for 110, which is longer than lines go uncompared, then differ again. */
function steadyForAWhile(at: number): string {
  return at < 90 || at >= 200 ? `"tag-${at}"` : '"steady"';
}

scenarios.push({
  name: 'a field whose values differ, then repeat, then differ, in another spelling too',
  send: Array.from({ length: 250 }, (_, at) => `GET /${at} HTTP/1.1\r\nHost: a\r\n\r\n`),
  answers: 250,
  handler: (req, res) => {
    const at = Number(req.url!.slice(1));
    res.setHeader('X-Before', 'always');
    res.setHeader(at === 220 ? 'etag' : 'ETag', steadyForAWhile(at));
    res.setHeader('X-Behind', at % 2 === 0 ? 'even' : 'odd');
    res.end('body');
  },
});

eachSameThroughBothDoors(scenarios);
