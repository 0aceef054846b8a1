import assert = require('node:assert/strict');
import fs = require('node:fs');
import path = require('node:path');
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { inRepo } from '../support/paths.js';

interface Stop {
  readonly lane: string;
  readonly name: string;
}

const layers = fs.readdirSync(inRepo('packages/nonstop/src'));
const places = ['packages', 'src', 'test', 'scripts', 'examples', 'client', ...layers];

/** Files and folders that a page names: in backticks or on the road, beginning with an existing folder. */
const named = new RegExp(`(?:\`|→ |: )((?:${places.join('|')})/[\\w./-]+)(?=\`|\\s|,|$)`, 'gm');

/** The folders to which a name on a page may be relative. */
const homes = ['.', 'packages/nonstop', 'packages/nonstop/src', 'packages/lab'];

/** Files that commands create on demand. */
const made = /^packages\/lab\/(?:\.\w+|results)\/|\/dist$/;

const isThere = (name: string): boolean =>
  homes.some((home) => ['', '.ts', '.mts'].some((ending) => fs.existsSync(inRepo(home, `${name}${ending}`))));

const pages = fs
  .readdirSync(inRepo('docs/internals'))
  .filter((name) => /\.(?:md|svg)$/.test(name))
  .map((name) => path.posix.join('docs/internals', name))
  .concat('CONTRIBUTING.md');

describe('the files that a page names exist', () => {
  for (const page of pages) {
    test(page, () => {
      const names = [...fs.readFileSync(inRepo(page), 'utf8').matchAll(named)].map(([, name]) => name);
      assert.deepEqual(
        names.filter((name) => !made.test(name) && !isThere(name)),
        [],
      );
    });
  }

  test('the road names more than 15 of them', () => {
    const [road] = /^```$[^]*?^```$/m.exec(fs.readFileSync(inRepo('docs/internals/README.md'), 'utf8')) ?? [''];
    assert.ok([...road.matchAll(named)].length > 15);
  });

  test('the picture of the road is drawn from it', async () => {
    const { drawRoad, readRoad } = (await import(pathToFileURL(inRepo('scripts/lib/road.mjs')).href)) as {
      drawRoad(stops: readonly Stop[]): string;
      readRoad(page: string): readonly Stop[];
    };
    const stops = readRoad(fs.readFileSync(inRepo('docs/internals/README.md'), 'utf8'));
    const picture = fs.readFileSync(inRepo('docs/internals/road.svg'), 'utf8');
    assert.equal(picture, drawRoad(stops), 'node scripts/draw-road.mjs draws it');
    // Each file is in the lane of its folder; node/ is in the lane of the socket.
    for (const { lane, name } of stops.filter((stop) => stop.name.includes('/'))) {
      assert.equal(lane, name.startsWith('node/') ? 'net' : name.split('/')[0], name);
    }
  });

  const lives = (page: string): string[] => [...page.matchAll(/^ {2}(\w+)(?= ─| ──)/gm)].map(([, state]) => state);
  /** The states in the table of a union: the first word of each row. */
  const rows =
    (name: string) =>
    (page: string): string[] => {
      const [, table = ''] =
        new RegExp(`^\\| [^|]*\\(\`${name}\`, [^\\n]*\\n([^]*?)(?:\\n\\n|$(?![^]))`, 'm').exec(page) ?? [];
      return [...table.matchAll(/^\| `(\w+)`: /gm)].map(([, state]) => state);
    };
  const states = [
    { name: 'Life', file: 'http/message.ts', shown: lives },
    { name: 'Arriving', file: 'http/connection/incoming.ts', shown: rows('Arriving') },
    { name: 'Phase', file: 'http/connection/reading.ts', shown: rows('Phase') },
    { name: 'Current', file: 'http/connection/reading.ts', shown: rows('Current') },
    { name: 'Sending', file: 'http/connection/turns.ts', shown: rows('Sending') },
    { name: 'Due', file: 'http/connection/clock.ts', shown: rows('Due') },
  ];
  for (const { name, file, shown } of states) {
    test(`the life of a message has the states of ${name}`, () => {
      const page = fs.readFileSync(inRepo('docs/internals/messages.md'), 'utf8');
      const source = fs.readFileSync(inRepo('packages/nonstop/src', file), 'utf8');
      const [, members = ''] = new RegExp(`const enum ${name} \\{([^}]*)\\}`).exec(source) ?? [];
      const inCode = [...members.matchAll(/^ {2}(\w+)(?: = \d+)?,/gm)].map(([, state]) => state);
      assert.ok(inCode.length > 1);
      for (const state of inCode) assert.match(page, new RegExp(`\\b${state}\\b`), state);
      const inPage = shown(page);
      assert.ok(inPage.length > 0);
      for (const state of inPage) assert.ok(inCode.includes(state), `${state} is no ${name}`);
      if (name !== 'Life') assert.deepEqual(inPage, inCode);
    });
  }

  test('every folder of src has a page', () => {
    const table = fs.readFileSync(inRepo('docs/internals/README.md'), 'utf8');
    assert.deepEqual(
      layers
        .filter((layer) => fs.statSync(inRepo('packages/nonstop/src', layer)).isDirectory())
        .filter((layer) => !new RegExp(`^\\| \\[.*\`${layer}\`.*\\]\\(layer-[\\w-]+\\.md\\)`, 'm').test(table)),
      [],
    );
  });
});
