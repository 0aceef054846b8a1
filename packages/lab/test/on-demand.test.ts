import assert = require('node:assert/strict');
import fs = require('node:fs');
import os = require('node:os');
import path = require('node:path');
import { afterEach, beforeEach, describe, test } from 'node:test';
import { install, isInstalled } from '../src/on-demand.js';

/** In the place of npm: makes a folder for each specification, and writes down its arguments. */
const npm = `
const fs = require('node:fs');
const specs = process.argv.slice(2).filter((word) => word !== 'install' && !word.startsWith('--'));
if (specs.includes('missing@1')) { console.error('404 missing'); process.exit(1); }
for (const spec of specs) fs.mkdirSync('node_modules/' + spec.slice(0, spec.indexOf('@', 1)), { recursive: true });
fs.appendFileSync('asked.txt', specs.join(' ') + '\\n');
const { list = [] } = JSON.parse(fs.readFileSync('package.json', 'utf8'));
fs.writeFileSync('package.json', JSON.stringify({ list: [...list, ...specs] }));
`;

describe('packages that are installed on demand', () => {
  const { signal } = new AbortController();
  const before = process.env['npm_execpath'];
  let home: string;
  const read = (file: string): string => fs.readFileSync(path.join(home, file), 'utf8');

  beforeEach(() => {
    home = fs.mkdtempSync(path.join(os.tmpdir(), 'nonstop-on-demand-'));
    fs.writeFileSync(path.join(home, 'npm.js'), npm);
    process.env['npm_execpath'] = path.join(home, 'npm.js');
  });

  afterEach(() => {
    if (before === undefined) delete process.env['npm_execpath'];
    else process.env['npm_execpath'] = before;
    fs.rmSync(home, { recursive: true });
  });

  test('are asked for once, the missing ones together', async () => {
    await install(['one@^1.0.0'], signal, home);
    await install(['one@^1.0.0', '@two/three@^2.0.0', 'four@1'], signal, home);
    await install(['four@1'], signal, home);
    assert.equal(read('asked.txt'), 'one@^1.0.0\n@two/three@^2.0.0 four@1\n');
    assert.ok(isInstalled('@two/three@^9.0.0', home));
  });

  test("keep npm's list of them, without which it would remove the earlier ones", async () => {
    await install(['one@1'], signal, home);
    await install(['two@1'], signal, home);
    assert.equal(read('package.json'), '{"list":["one@1","two@1"]}');
  });

  test('that cannot be installed are named, with the last words of npm', async () => {
    await assert.rejects(install(['missing@1'], signal, home), {
      message: 'npm could not install missing@1\n404 missing',
    });
  });
});
