import assert = require('node:assert/strict');
import fs = require('node:fs');
import http = require('node:http');
import { createRequire } from 'node:module';
import path = require('node:path');
import { describe, test } from 'node:test';
import { inRepo } from '../support/paths.js';
import { nonstop } from '../support/subject.js';

// The package as readers of the pages install it.
const dist = path.join(
  path.dirname(createRequire(inRepo('docs/package.json')).resolve('nonstop/package.json')),
  'dist',
);
const published = fs
  .readdirSync(dist, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.js'))
  .map((file) => fs.readFileSync(path.join(dist, file), 'utf8'))
  .join('\n');

const page = (name: string): string => fs.readFileSync(inRepo('docs', name), 'utf8');

/** The cells of the table below a heading, without the head row. */
function table(name: string, heading: string): string[][] {
  const [, below = ''] = page(name).split(new RegExp(`^#+ ${heading}$`, 'm'));
  const [, , ...rows] = (below.split(/^#/m)[0] ?? '').split('\n').filter((line) => line.startsWith('|'));
  assert.notEqual(rows.length, 0, `${name} has no table below '${heading}'`);
  return rows.map((row) =>
    row
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim()),
  );
}

const bare = (cell = ''): string => cell.replaceAll('`', '');
const numberIn = (cell = ''): number => Number(bare(cell).replaceAll(',', ''));

/** The distinct matches of a pattern in the published files. */
function found(pattern: RegExp): string[] {
  return [...new Set([...published.matchAll(pattern)].map(([, name = '']) => name))].toSorted();
}

/** The value of a constant in the published files. */
function constant(name: string): number {
  const [, text = ''] = new RegExp(`^const ${name} = ([\\d_ *]+);`, 'm').exec(published) ?? [];
  return text.split('*').reduce((product, factor) => product * Number(factor.trim().replaceAll('_', '')), 1);
}

describe('tables of the pages', () => {
  test('name each code with which a request is refused', () => {
    const rows = table('guide/troubleshooting.md', 'Refused requests');
    assert.deepEqual(rows.map(([code]) => bare(code)).toSorted(), found(/\b(HPE_[A-Z0-9_]+)/g));
    const statuses = rows.filter(([, status]) => status !== '400').map(([code, status]) => `${bare(code)} ${status}`);
    assert.deepEqual(statuses, ['HPE_HEADER_OVERFLOW 431', 'HPE_CHUNK_EXTENSIONS_OVERFLOW 413']);
  });

  test('name each code of an error', () => {
    const headings = [...page('guide/troubleshooting.md').matchAll(/^### `(ERR_[A-Z0-9_]+)`$/gm)].map(
      ([, code]) => code,
    );
    // For a wrong value of a variable of the environment the code is made of its name.
    const ofVariables = found(/^const SWITCH = ['"](\w+)['"]/gm).map((name) => `ERR_${name}`);
    const codes = new Set([...found(/\b(ERR_[A-Z0-9_]+)/g), ...ofVariables]);
    assert.deepEqual(headings.toSorted(), [...codes].toSorted());
  });

  test('name each type of an error of a body', () => {
    const rawBody = fs.readFileSync(require.resolve('raw-body'), 'utf8');
    const theirs = [...rawBody.matchAll(/type: '([\w.]+)'/g)].map(([, type = '']) => type);
    const ours = found(
      /(?:type: |\.type \|\| )'((?:charset|encoding|entity|parameters|querystring|request)\.[\w.]+)'/g,
    );
    const rows = table('guide/troubleshooting.md', 'Bodies').map(([type]) => bare(type));
    assert.deepEqual(rows.toSorted(), [...new Set([...ours, ...theirs])].toSorted());
  });

  test('name each entry of the package', () => {
    const { exports } = JSON.parse(fs.readFileSync(path.join(dist, '../package.json'), 'utf8')) as { exports: object };
    const entries = Object.keys(exports).map((key) => path.posix.join('nonstop', key.replace(/\*(?:\.js)?$/, '…')));
    const rows = table('reference/README.md', 'Entry points').map(([cell = '']) => /`([^`]+)`/.exec(cell)?.[1] ?? '');
    assert.deepEqual(rows.toSorted(), [...new Set(entries)].filter((name) => !name.endsWith('.json')).toSorted());
  });

  test('name each event that is emitted', () => {
    const named = page('reference/events.md').matchAll(/`(\w+)`/g);
    const known = new Set([...named].map(([, name]) => name));
    // Events of file streams and of workers inside one process are internal.
    const inner = ['file', 'stream', 'gone', 'leaving', 'ready'];
    const emitted = found(/\.emit\('(\w+)'/g);
    assert.ok(emitted.length > 15, String(emitted));
    assert.deepEqual(
      emitted.filter((name) => !known.has(name) && !inner.includes(name)),
      [],
    );
  });

  test('name each setting, with its default', () => {
    const types = fs.readFileSync(path.join(dist, 'types/application.d.ts'), 'utf8');
    const [, union = ''] = /type SettingName =([^]*?)string & \{\}/.exec(types) ?? [];
    const names = [...union.matchAll(/^(?: \| )?'([^']+)'/gm)].map(([, name = '']) => name);
    const rows = table('reference/settings.md', 'Settings of an application');
    assert.deepEqual(rows.map(([name]) => bare(name)).toSorted(), names.toSorted());
    const app = nonstop() as unknown as { get(name: string): unknown };
    for (const [name, cell] of rows) {
      if (['env', 'view', 'views'].includes(bare(name))) continue;
      const [shown] = bare(cell).split(';');
      assert.equal(String(app.get(bare(name))), shown, `the default of ${name}`);
    }
  });

  test('name each reason for which a server is left to node', () => {
    const types = fs.readFileSync(path.join(dist, 'entry/http.d.ts'), 'utf8');
    const [, union = ''] = /type LeftReason =([^]*?);\n/.exec(types) ?? [];
    const reasons = [...union.matchAll(/^\s*(?:\| )?'([\w-]+)'/gm)].map(([, name = '']) => name);
    const rows = table('reference/README.md', 'The server without the framework');
    assert.notEqual(reasons.length, 0);
    assert.deepEqual(rows.map(([name]) => bare(name)).toSorted(), reasons.toSorted());
  });

  test('name each variable that is read', () => {
    const rows = table('reference/settings.md', 'Environment').map(([name]) => bare(name));
    // Some variables are read by the name of a constant.
    const constants = found(/process\.env\[([A-Z_]+)\]/g).flatMap(
      (name) => new RegExp(`^const ${name} = '(\\w+)';`, 'm').exec(published)?.[1] ?? [],
    );
    const read = new Set([...found(/process\.env(?:\.|\[')([A-Z_]+)/g), ...constants]);
    assert.deepEqual(rows.toSorted(), [...read].toSorted());
  });

  test('have the limits of servers that the running Node has', () => {
    const server = http.createServer() as unknown as Record<string, unknown>;
    for (const [name, shown] of table('guide/limits.md', 'Of the server')) {
      const [owner, property = ''] = bare(name).split('.');
      const value = owner === 'http' ? http.maxHeaderSize : server[property];
      // Node 20 has no such property; the engine uses the default of later versions.
      if (property === 'keepAliveTimeoutBuffer' && value === undefined) continue;
      assert.equal(String(value), bare(shown).replaceAll(',', ''), `the default of ${name}`);
    }
    assert.equal(constant('KEEP_ALIVE_BUFFER'), 1000);
  });

  test('have the limits of bodies and of the engine', () => {
    const bodies = table('guide/limits.md', 'Of a body').map(([, value]) => numberIn(value));
    assert.deepEqual(bodies, ['DEFAULT_LIMIT', 'PARAMETER_LIMIT', 'DEPTH', 'MAX_CHUNK_EXTENSIONS'].map(constant));
    const engine = table('guide/limits.md', 'Of the engine').map(([, value]) => numberIn(value));
    assert.deepEqual(engine, ['SMALL', 'MAX_SYNC'].map(constant));
    const options = table('guide/bodies.md', 'Limits').map(([, , value]) => value);
    assert.deepEqual(options, ["`'100kb'` (102,400)", '1000', '32']);
  });
});
