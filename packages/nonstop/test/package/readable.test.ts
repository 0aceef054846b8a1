import assert = require('node:assert/strict');
import { execFile } from 'node:child_process';
import fs = require('node:fs');
import { SourceMap, type SourceMapPayload } from 'node:module';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { inPackage } from '../support/paths.js';

const run = promisify(execFile);

const file = inPackage('dist/nonstop.js');

describe('the published file', () => {
  const code = fs.readFileSync(file, 'utf8');
  const lines = code.split('\n');

  test('has one statement per line', () => {
    const longest = lines.toSorted((one, other) => other.length - one.length)[0];
    assert.ok(longest.length <= 200, longest);
    assert.ok(lines.length > 5000, `only ${lines.length} lines`);
  });

  test('has the comments and the variables of the sources', () => {
    const source = fs.readFileSync(inPackage('src/http/server/takeover.ts'), 'utf8');
    const comments = source.match(/\/\*\*[^]*?\*\//g) ?? [];
    assert.ok(comments.length > 0);
    assert.ok(comments.some((comment) => code.includes(comment)));
    const parameters = /function memo\((\w+), (\w+) = \[\]\)/.exec(code);
    assert.deepEqual(parameters?.slice(1), ['compute', 'seed']);
  });

  test('maps a function to its line in the sources', () => {
    const payload = JSON.parse(fs.readFileSync(`${file}.map`, 'utf8')) as SourceMapPayload;
    const map = new SourceMap(payload);
    const line = lines.findIndex((text) => text.startsWith('function createApplication('));
    const { originalSource, originalLine } = map.findEntry(line, 0) as { originalSource: string; originalLine: number };
    assert.equal(originalSource, '../src/express/express.ts');
    const text = payload.sourcesContent[payload.sources.indexOf(originalSource)].split('\n')[originalLine];
    assert.match(text, /function createApplication\(/);
    assert.equal(fs.readFileSync(inPackage('src/express/express.ts'), 'utf8').split('\n')[originalLine], text);
  });

  const program = "try { require('./dist/entry/index.js')().use(); } catch (error) { console.log(error.stack); }";
  const places: readonly (readonly [title: string, flags: readonly string[], place: RegExp])[] = [
    ['a line of a stack trace holds the call', [], /dist\/nonstop\.js:(\d+):\d+/],
    [
      'with --enable-source-maps it is a line of the sources',
      ['--enable-source-maps'],
      /src\/express\/\w+\.ts:(\d+):\d+/,
    ],
  ];
  for (const [title, flags, place] of places) {
    test(title, async () => {
      const { stdout } = await run(process.execPath, [...flags, '-e', program], { cwd: inPackage() });
      const [, number] = place.exec(stdout) ?? assert.fail(stdout);
      const [name] = /(?:dist|src)\/[\w/]+\.[jt]s/.exec(stdout) ?? assert.fail(stdout);
      assert.match(fs.readFileSync(inPackage(name), 'utf8').split('\n')[Number(number) - 1], /throw new TypeError/);
    });
  }
});
