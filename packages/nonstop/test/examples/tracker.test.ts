import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { inRepo } from '../support/paths.js';
import { TrackerProcess, type Contestant, type Surroundings } from './tracker-process.js';
import { differences, type Moment } from './transcript.js';
import { visitAccount } from './visit-account.js';
import { visitAfterRestart } from './visit-restart.js';
import { visitApi } from './visit-api.js';
import { visitIssues } from './visit-issues.js';
import { visitPages } from './visit-pages.js';
import { visitWire } from './visit-wire.js';
import { Visitor } from './visitor.js';

const register = ['--import', 'nonstop/register'];
const express: Contestant = { name: 'Express', flags: [], env: {}, by: 'node:http' };
const contestants: readonly Contestant[] = [
  { name: 'Nonstop on its engine', flags: register, env: {}, by: 'engine' },
  { name: 'Nonstop on node:http', flags: register, env: { NONSTOP_ENGINE: 'node' }, by: 'node:http' },
];

/** Node's own response with one change: on the start page Vary comes before all other fields. */
const varyFirst = `data:text/javascript,${encodeURIComponent(`
  import { ServerResponse } from 'node:http';
  const { writeHead } = ServerResponse.prototype;
  ServerResponse.prototype.writeHead = function (...args) {
    if (this.hasHeader('vary') && this.req.originalUrl === '/') {
      for (const name of this.getRawHeaderNames().filter((other) => other !== 'Vary')) {
        const value = this.getHeader(name);
        this.removeHeader(name);
        this.setHeader(name, value);
      }
    }
    return writeHead.apply(this, args);
  };
`)}`;

/** Generous: a visit takes a few seconds, and the client detects hangs. */
const timeout = 60_000;

interface Visit {
  readonly surroundings: Surroundings;
  readonly moments: readonly Moment[];
}

type Part = (visitor: Visitor) => Promise<void>;
const wholeVisit: readonly Part[] = [visitPages, visitAccount, visitIssues, visitApi, visitWire, visitAfterRestart];

/** Plays all parts, and records what they leave behind: the access log, the error log and the files on disk. */
async function visit(contestant: Contestant, parts = wholeVisit): Promise<Visit> {
  const tracker = new TrackerProcess(contestant);
  try {
    await tracker.start();
    const visitor = new Visitor(tracker);
    for (const part of parts) await part(visitor);
    visitor.record('the access log', tracker.accessLog);
    visitor.record('the error log', tracker.errorLog);
    visitor.record('the files on disk', tracker.stored);
    return { surroundings: tracker.surroundings, moments: visitor.moments };
  } finally {
    await tracker.dispose();
  }
}

let oracle: Promise<Visit> | undefined;
const onExpress = (): Promise<Visit> => (oracle ??= visit(express));

describe('the tracker', () => {
  it('records the expected visit on Express', { timeout }, async () => {
    const { surroundings, moments } = await onExpress();
    assert.match(surroundings.framework, /node_modules.express.index\.js$/);
    assert.ok(moments.length > 150, `${moments.length} moments`);
  });

  for (const contestant of contestants) {
    it(`records the same visit on ${contestant.name}`, { timeout }, async () => {
      const expected = await onExpress();
      const actual = await visit(contestant);
      assert.match(actual.surroundings.framework, /dist.nonstop\.js$/);
      const found = differences(expected.moments, actual.moments);
      assert.ok(found.length === 0, `${found.length} differences\n\n${found.join('\n\n')}`);
    });
  }

  it('is compared so closely that one field in another order is found', { timeout }, async () => {
    const { moments } = await onExpress();
    const changed = await visit({ ...express, name: 'a changed Express', flags: ['--import', varyFirst] }, [
      visitPages,
    ]);
    const found = differences(moments.slice(0, 30), changed.moments.slice(0, 30));
    assert.match(found[0], /^the start page redirects, line 2\n/);
    assert.match(found[0], /expected: "Content-Security-Policy: .*\n {2}got: {6}"Vary: Accept, Accept-Encoding"/);
    assert.equal(found.length, 2, 'GET / and HEAD / alone differ');
  });

  it('requires the framework in one place', () => {
    const folders = ['.', 'lib', 'routes'];
    const sources = folders
      .flatMap((folder) => readdirSync(inRepo('examples/tracker', folder)).map((name) => path.join(folder, name)))
      .filter((name) => name.endsWith('.js'))
      .map((name) => [name, readFileSync(inRepo('examples/tracker', name), 'utf8')] as const);
    assert.ok(sources.length > 15, `only ${sources.length} sources`);
    const requiring = sources.filter(([, text]) => /require\(['"]express['"]\)/.test(text));
    assert.deepEqual(
      requiring.map(([name]) => name),
      ['app.js'],
    );
    assert.ok(sources.every(([, text]) => !text.includes('nonstop')));
  });
});
