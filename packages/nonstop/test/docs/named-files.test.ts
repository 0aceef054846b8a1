import assert = require('node:assert/strict');
import fs = require('node:fs');
import path = require('node:path');
import { describe, test } from 'node:test';
import { inRepo } from '../support/paths.js';

const layers = fs.readdirSync(inRepo('packages/nonstop/src'));
const places = ['packages', 'src', 'test', 'scripts', 'examples', 'client', ...layers];

/** What a page names as a file or folder: in backticks or on the road, beginning with a folder that there is. */
const named = new RegExp(`(?:\`|→ |: )((?:${places.join('|')})/[\\w./-]+)(?=\`|\\s|,|$)`, 'gm');

/** Where a page may mean a name from. */
const homes = ['.', 'packages/nonstop', 'packages/nonstop/src', 'packages/lab'];

/** What is made when it is asked for. */
const made = /^packages\/lab\/(?:\.\w+|results)\/|\/dist$/;

const isThere = (name: string): boolean =>
  homes.some((home) => ['', '.ts', '.mts'].some((ending) => fs.existsSync(inRepo(home, `${name}${ending}`))));

const pages = fs
  .readdirSync(inRepo('docs/internals'))
  .map((name) => path.posix.join('docs/internals', name))
  .concat('CONTRIBUTING.md');

describe('the files that a page names are there', () => {
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

  test('every folder of src has a page of what it may know', () => {
    const table = fs.readFileSync(inRepo('docs/internals/README.md'), 'utf8');
    assert.deepEqual(
      layers
        .filter((layer) => fs.statSync(inRepo('packages/nonstop/src', layer)).isDirectory())
        .filter((layer) => !new RegExp(`^\\| \\[.*\`${layer}\`.*\\]\\(layer-[\\w-]+\\.md\\)`, 'm').test(table)),
      [],
    );
  });
});
