import assert = require('node:assert/strict');
import { test } from 'node:test';
import { MISSING_JOINS, joinFields, listFields } from '../../src/node/incoming-fields.js';

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

test('or listed', () => {
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
