import assert = require('node:assert/strict');
import { execFile } from 'node:child_process';
import fs = require('node:fs');
import { pathToFileURL } from 'node:url';
import { before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { inRepo } from '../../packages/nonstop/test/support/paths.js';

interface ChangelogModule {
  cut(text: string, version: string, date: Date): string;
  released(text: string): string[];
  mustAgree(tag: string, version: string, text: string): void;
  npmTag(version: string): string;
}

const example =
  '# Changelog\nWhat users notice.\n\n## Unreleased\n### Fixed\n- a fault\n\n## 5.0.0-alpha.0 - 2026-01-01\n### Added\n- all\n';

describe('the changelog', () => {
  let changelog: ChangelogModule;
  before(async () => {
    changelog = (await import(pathToFileURL(inRepo('scripts/lib/changelog.mjs')).href)) as ChangelogModule;
  });

  test('moves the unreleased changes to the new version and keeps the rest', () => {
    const cut = changelog.cut(example, '5.0.0-alpha.1', new Date('2026-02-03'));
    assert.match(
      cut,
      /## Unreleased\n+## 5\.0\.0-alpha\.1 - 2026-02-03\n### Fixed\n- a fault\n\n## 5\.0\.0-alpha\.0 - 2026-01-01\n/,
    );
    assert.deepEqual(changelog.released(cut), ['5.0.0-alpha.1', '5.0.0-alpha.0']);
  });

  test('refuses an empty release, and a version that exists', () => {
    const cut = changelog.cut(example, '5.0.0', new Date());
    assert.throws(() => changelog.cut(cut, '5.0.1', new Date()), /nothing under "Unreleased"/);
    assert.throws(() => changelog.cut(example, '5.0.0-alpha.0', new Date()), /already has 5\.0\.0-alpha\.0/);
  });

  test('a release is refused unless tag, package and changelog agree', () => {
    changelog.mustAgree('v5.0.0-alpha.0', '5.0.0-alpha.0', example);
    assert.throws(() => changelog.mustAgree('v5.0.0', '5.0.0-alpha.0', example), /tag is v5\.0\.0/);
    assert.throws(
      () => changelog.mustAgree('v5.0.0', '5.0.0', example),
      /newest version in CHANGELOG\.md is 5\.0\.0-alpha\.0/,
    );
  });

  test('a prerelease has a tag of its own on npm', () => {
    assert.deepEqual(['5.0.0-alpha.1', '5.0.0'].map(changelog.npmTag), ['alpha', 'latest']);
  });

  test('of this repository can be parsed, and names each version once', () => {
    const text = fs.readFileSync(inRepo('CHANGELOG.md'), 'utf8');
    assert.match(text, /^## Unreleased$/m);
    const versions = changelog.released(text);
    assert.equal(new Set(versions).size, versions.length);
  });
});

test('npm run help has a line for each command', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [inRepo('scripts/help.mjs')]);
  assert.match(stdout, /npm run test /);
  const lab = await promisify(execFile)(process.execPath, [inRepo('scripts/lab.mjs'), '--help']);
  const commands = [...lab.stdout.matchAll(/^npm run lab -- ([\w-]+)/gm)].map(([, name]) => name);
  assert.ok(commands.length > 5);
  const line = stdout.split('\n').find((one) => /npm run lab /.test(one)) ?? '';
  for (const name of commands) assert.match(line, new RegExp(`[ ,]${name}[,;]`));
});
