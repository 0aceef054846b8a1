import assert = require('node:assert/strict');
import { test } from 'node:test';
import http = require('node:http');
import { Socket } from 'node:net';
import {
  addFieldLines,
  addLowerFields,
  MISSING_JOINS,
  joinFields,
  listFields,
  type Fields,
} from '../../src/node/incoming-fields.js';
import { compiled } from '../support/paths.js';
import { runProgram } from '../support/run-program.js';

const raw = [
  'Host',
  'a',
  'X-Many',
  '1',
  'x-many',
  '2',
  'Set-Cookie',
  'a=1',
  'Set-Cookie',
  'b=2',
  'Age',
  '1',
  'Age',
  '2',
];

test("fields of one name are joined by node's rules", () => {
  assert.deepEqual(MISSING_JOINS, []);
  const found = joinFields({ joinDuplicateHeaders: false }, raw);
  assert.deepEqual(found, { host: 'a', 'x-many': '1, 2', 'set-cookie': ['a=1', 'b=2'], age: '1' });
  assert.deepEqual(joinFields({ joinDuplicateHeaders: true }, raw)['age'], '1, 2');
});

test('fields of one name are listed, without joining them', () => {
  assert.deepEqual(
    { ...listFields({}, raw) },
    {
      host: ['a'],
      'x-many': ['1', '2'],
      'set-cookie': ['a=1', 'b=2'],
      age: ['1', '2'],
    },
  );
});

test('fields in lower case are joined by the same rules', () => {
  // Names that node knows, some that it treats in their own ways, and members of every object.
  const names =
    'host age etag date vary server cookie set-cookie content-type content-length authorization location x-other constructor __proto__';
  const values = ['', 'a', 'b'];
  for (const joinDuplicateHeaders of [false, true]) {
    for (const name of names.split(' ')) {
      for (const first of values) {
        for (const second of values) {
          const lines = ['x', '1', name, first, 'y', '2', name, second, name, 'c'];
          const found: Fields = {};
          addLowerFields({ joinDuplicateHeaders }, lines, found);
          assert.deepEqual(found, joinFields({ joinDuplicateHeaders }, lines), lines.join());
        }
      }
    }
  }
});

test("a request that gets its field lines by node's method has them in both forms", () => {
  const req = new http.IncomingMessage(new Socket());
  addFieldLines(req, raw, 2);
  assert.deepEqual([req.headers, req.rawHeaders], [{ host: 'a' }, raw]);
});

test('with --disable-proto=throw a field __proto__ is left out, and the others are there', async () => {
  const lines = ['__proto__', 'a', 'x', '__proto__', 'y', '1', '__PROTO__', 'b', 'y', '2'];
  const text = `
    const part = require(${JSON.stringify(compiled('src', 'node', 'incoming-fields.js'))});
    const found = {};
    part.addLowerFields({}, ${JSON.stringify(lines)}.map((each) => each.toLowerCase()), found);
    console.log(JSON.stringify([found, part.joinFields({}, ${JSON.stringify(lines)})]));`;
  const { stdout } = await runProgram({ text, flags: ['--disable-proto=throw'] });
  const expected = { x: '__proto__', y: '1, 2' };
  assert.deepEqual(JSON.parse(stdout), [expected, expected]);
  assert.deepEqual(joinFields({}, lines), expected, 'as without the flag');
});
