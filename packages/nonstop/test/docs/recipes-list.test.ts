import assert = require('node:assert/strict');
import fs = require('node:fs');
import { describe, test } from 'node:test';
import { inRepo } from '../support/paths.js';

const read = (...names: readonly string[]): string => fs.readFileSync(inRepo(...names), 'utf8');
const examples = fs
  .readdirSync(inRepo('examples'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && fs.existsSync(inRepo('examples', entry.name, 'package.json')))
  .map(({ name }) => name);

/** Folders of a page's links to examples. */
const linked = (page: string): string[] =>
  [...read('docs', 'guide', page).matchAll(/\]\(\.\.\/\.\.\/examples\/([^)/]+)\)/g)].map(([, name]) => name ?? '');

describe('the list of recipes', () => {
  test('names each folder of examples/ once', () => {
    assert.deepEqual(linked('recipes.md').toSorted(), examples.toSorted());
  });

  test('says for each what to request or to open', () => {
    const rows = read('docs', 'guide', 'recipes.md')
      .split('\n')
      .filter((line) => /^\| \[[^\]]+\]\(\.\.\/\.\.\/examples/.test(line));
    assert.equal(rows.length, examples.length);
    for (const row of rows) assert.match(row.split(' | ').at(-1) ?? '', /`curl |open `http:\/\/localhost:3000/, row);
  });

  test('and the guide on moving name the versions that the examples install', () => {
    const rows = read('docs', 'guide', 'moving.md')
      .split('\n')
      .filter((line) => line.startsWith('| [') && line.includes('examples/'));
    const { workspaces } = JSON.parse(read('package.json')) as { workspaces: string[] };
    const outside = workspaces.flatMap((one) => (one.startsWith('!examples/') ? [one.slice('!examples/'.length)] : []));
    assert.deepEqual(linked('moving.md').toSorted(), outside.toSorted());
    for (const row of rows) {
      const [, name = ''] = /examples\/([^)]+)\)/.exec(row) ?? [];
      const { dependencies, devDependencies = {} } = JSON.parse(read('examples', name, 'package.json')) as {
        dependencies: Record<string, string>;
        devDependencies?: Record<string, string>;
      };
      const said = [...row.matchAll(/`([@\w./-]+)` (\d+\.\d+\.\d+)/g)];
      assert.ok(said.length > 0, row);
      for (const [, what = '', version] of said) {
        assert.equal({ ...dependencies, ...devDependencies }[what], version, `${what} in ${name}`);
      }
    }
  });
});

test('the scripts of each example run in any shell, that of Windows too', () => {
  for (const name of examples) {
    const { scripts = {} } = JSON.parse(read('examples', name, 'package.json')) as { scripts?: Record<string, string> };
    for (const script of Object.values(scripts)) {
      assert.doesNotMatch(script, /(?:^|&& )\w+=|[;'$`|*]|(?:^|&& )(?:rm|cp|mv|mkdir|cat|export|touch|\.\/)/, name);
    }
  }
});
