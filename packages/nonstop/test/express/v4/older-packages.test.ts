// Where Express 4 uses older packages, Nonstop uses the newer ones. The older ones are the oracle.
import assert = require('node:assert/strict');
import { createRequire } from 'node:module';
import path = require('node:path');
import { describe, test } from 'node:test';
import { lookup4, plainType } from '../../../src/body/v4/media-types.js';
import { lenientRange } from '../../../src/files/v4/conditional.js';
import { mime } from '../../../src/files/v4/mime.js';
import { requestIs4, typeIs4 } from '../../../src/body/v4/type-is.js';
import { negotiation } from '../../../src/express/v4/request/negotiation.js';
import { dispositionOf } from '../../../src/express/v4/response/disposition.js';
import { folder } from '../../support/folder.js';
import { ofExpress4 } from '../../support/of-express4.js';
import { seeded } from '../../support/seeded.js';

// oxlint-disable-next-line no-explicit-any -- packages without types in these versions
type Any = any;

const newer: Any = require('mime-types');
const older: Any = createRequire(createRequire(require.resolve('express4')).resolve('type-is'))('mime-types');
const olderMime: Any = createRequire(createRequire(require.resolve('express4')).resolve('send'))('mime');
const typeIs: Any = ofExpress4('type-is');
const accepts: Any = ofExpress4('accepts');
const parseRange: Any = ofExpress4('range-parser');
const newRange: Any = require('range-parser');
const disposition: Any = ofExpress4('content-disposition');

function outcome(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return ['throws', (error as Error).name, (error as Error).message];
  }
}

const ROUNDS = 3000;

/** Random texts; their seed is part of each message. */
function* texts(pieces: readonly string[], most: number, seed: number): Generator<string> {
  const random = seeded(seed);
  for (let i = 0; i < ROUNDS; i++) {
    let text = '';
    for (let n = random.below(most) + 1; n > 0; n--) text += pieces[random.below(pieces.length)];
    yield text;
  }
}

describe('express.static.mime', () => {
  // Members of the type, and further members of mime 1.
  const ours: Any = mime();

  test('has the type of each extension that mime 1 or mime-db knows', () => {
    const all = new Set([...Object.keys(olderMime.types), ...Object.keys(newer.types), 'constructor', '__proto__', '']);
    assert.ok(all.size > 1200, `only ${all.size} extensions`);
    for (const extension of all) {
      for (const path of [extension, `.${extension}`, `a/b.${extension.toUpperCase()}`, `a.b\\${extension}`])
        assert.equal(ours.lookup(path), olderMime.lookup(path), path);
    }
    assert.equal(ours.lookup('a.unknown', 'x/y'), 'x/y');
  });

  test('has the extension and the charset of each type', () => {
    const all = new Set([
      ...Object.keys(olderMime.extensions),
      ...Object.keys(newer.extensions),
      'x/unknown',
      '',
      'text',
    ]);
    assert.ok(all.size > 800, `only ${all.size} types`);
    for (const type of all) {
      for (const field of [type, ` ${type} ; a=b`, type.toUpperCase(), `${type};`])
        assert.equal(ours.extension(field), olderMime.extension(field), field);
      assert.equal(ours.charsets.lookup(type, 'none'), olderMime.charsets.lookup(type, 'none'), type);
    }
    assert.equal(ours.default_type, olderMime.default_type);
  });

  test('takes further types, from a program and from a file', () => {
    const file = path.join(
      folder({ 'mime.types': '# types\nx/one one uno # more\r\n\n  x/two\ttwo\nx/none\n' }),
      'mime.types',
    );
    const seen = (make: Any): unknown => {
      const table = new make();
      table.define({ 'x/one': ['one', 'shared'], 'x/two': ['two'] });
      table.define({ 'x/one': ['another'], 'x/three': ['shared'] });
      table.load(file);
      const types = ['one', 'uno', 'two', 'shared', 'another', 'none'].map((name) => table.lookup(name, 'none'));
      return [types, ['x/one', 'x/two', 'x/three', 'x/none'].map((type) => table.extension(type))];
    };
    assert.deepEqual(seen(ours.Mime), seen(olderMime.Mime));
  });
});

describe('extensions', () => {
  test('each extension of both versions of mime-db has the type of the older one', () => {
    const all = new Set([...Object.keys(older.types), ...Object.keys(newer.types)]);
    assert.ok(all.size > 1200, `only ${all.size} extensions`);
    for (const extension of all) assert.equal(lookup4(extension), older.lookup(extension), extension);
  });

  test('a path, an extension with a dot and an invalid value are read as in mime 1', () => {
    for (const path of [
      'a/b.JS',
      '.js',
      'x.tar.gz',
      '',
      '.',
      'JS',
      'a.unknown',
      'constructor',
      '__proto__',
      'x.toString',
      '.hidden',
      'a.',
    ])
      assert.equal(lookup4(path), older.lookup(path), path);
  });
});

const FIELD = [
  'text',
  '/',
  'html',
  ';',
  ' ',
  'a',
  '=',
  'b',
  '"',
  '\\',
  '+',
  'json',
  '.',
  '*',
  ',',
  'é',
  '\t',
  'q=1',
  '; charset=utf-8',
  '%',
  '-',
  'x'.repeat(100),
  'A',
];

describe('types of bodies', () => {
  test('a Content-Type field has a plain type if type-is 1 finds one', () => {
    for (const text of texts(FIELD, 9, 1)) {
      assert.equal(plainType(text) ?? false, typeIs.is(text), JSON.stringify(text));
      const sound = `text/html${text}`;
      assert.equal(plainType(sound) ?? false, typeIs.is(sound), JSON.stringify(sound));
    }
  });

  const TYPES = [
    'json',
    'html',
    'js',
    'urlencoded',
    'multipart',
    '+json',
    '*/*',
    'text/*',
    'application/json',
    '*/*+json',
    'application/*+json',
    'unknown',
    '',
    'aac',
    'form-data',
    'multipart/form-data',
    'application/javascript',
    'text/javascript',
    '*/json',
    'TEXT/HTML',
    '*',
    '+',
    'a/b/c',
  ];
  const FIELDS = [
    'application/json',
    'text/html; charset=utf-8',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    'application/vnd.api+json',
    'text/javascript',
    'application/javascript',
    'audio/aac',
    'Text/HTML',
    'text/html;',
    'a/b/c',
    '',
    'nonsense',
    '*/*',
    'application/json; a',
  ];
  for (const field of FIELDS) {
    test(`'${field}' is of the types that type-is 1 says`, () => {
      assert.deepEqual(typeIs4(field, []), typeIs.is(field, []));
      for (const type of TYPES) {
        assert.deepEqual(typeIs4(field, [type]), typeIs.is(field, [type]), type);
        assert.deepEqual(typeIs4(field, [type, 'html', '*/*']), typeIs.is(field, [type, 'html', '*/*']), type);
        for (const headers of [
          { 'content-type': field, 'content-length': '1' },
          { 'content-type': field, 'transfer-encoding': 'chunked' },
          { 'content-type': field },
        ])
          assert.deepEqual(requestIs4({ headers } as Any, [type]), typeIs({ headers }, [type]), type);
      }
    });
  }
});

const NUMBERS = [
  '0',
  '5',
  '-',
  ',',
  ' ',
  '99',
  'x',
  '100',
  '1e3',
  '--',
  '=',
  'bytes',
  '99999999999999999999999',
  '.',
  ';',
];

test('ranges are those of range-parser 1.2', () => {
  for (const text of texts(NUMBERS, 8, 2)) {
    for (const field of [`bytes=${text}`, text]) {
      for (const options of [undefined, { combine: true }]) {
        // Numbers above the safe ones are made smaller, which is seen if a size that is no number does not limit them.
        for (const size of /9{20}/.test(field) ? [100, 0] : ([100, 0, NaN, 'a text', undefined] as never[])) {
          assert.deepEqual(
            outcome(() => newRange(size, lenientRange(field, size), options)),
            outcome(() => parseRange(size, field, options)),
            JSON.stringify([field, size]),
          );
        }
      }
    }
  }
});

const ACCEPT = [
  'text/html',
  'text/*',
  '*/*',
  'application/json',
  ',',
  ', ',
  ';',
  'q=0.5',
  ';q=0',
  ';q=1',
  ' ',
  '"',
  'a=b',
  'gzip',
  'utf-8',
  'en',
  'en-US',
  'de',
  '*',
  '/',
  'x',
  ';level=1',
  '=',
];
const OFFERED = [
  'json',
  'html',
  'js',
  'text/html',
  'text/html;level=1',
  'application/json',
  'unknown',
  'mjs',
  'aac',
  'text',
];

test('what a client accepts is what accepts 1 says', () => {
  const random = seeded(3);
  for (const field of texts(ACCEPT, 8, 3)) {
    const headers = { accept: field, 'accept-encoding': field, 'accept-charset': field, 'accept-language': field };
    const req = { headers, ...negotiation } as Any;
    const old = accepts({ headers });
    const offered = Array.from({ length: random.below(4) }, () => OFFERED[random.below(OFFERED.length)]);
    const seen = JSON.stringify([field, offered]);
    assert.deepEqual(
      outcome(() => req.accepts(...offered)),
      outcome(() => old.types(...offered)),
      seen,
    );
    assert.deepEqual(
      outcome(() => req.accepts(offered)),
      outcome(() => old.types(offered)),
      seen,
    );
    assert.deepEqual(req.acceptsEncodings('gzip', 'br'), old.encodings('gzip', 'br'), seen);
    assert.deepEqual(req.acceptsEncodings(), old.encodings(), seen);
    assert.deepEqual(req.acceptsCharsets(['utf-8', 'x']), old.charsets(['utf-8', 'x']), seen);
    assert.deepEqual(req.acceptsLanguages('en', 'de'), old.languages('en', 'de'), seen);
  }
});

test('wrong arguments have the same result as in accepts 1', () => {
  for (const headers of [{}, { accept: '*/*' }, { accept: 'text/html' }]) {
    for (const args of [
      [],
      [''],
      [undefined],
      [[]],
      [['html'], 'json'],
      [7],
      [['html', 7]],
      ['html', undefined],
      [null, 'html'],
    ] as Any[])
      assert.deepEqual(
        outcome(() => (negotiation as Any).accepts.call({ headers }, ...args)),
        outcome(() => accepts({ headers }).types(...args)),
        JSON.stringify(args),
      );
  }
});

const NAME = [
  'a',
  '.txt',
  ' ',
  '"',
  '\\',
  'é',
  '€',
  '%20',
  '%',
  '/',
  '\u0080',
  '\u00a0',
  '\n',
  "'",
  '*',
  '(',
  '日',
  '😀',
  '~',
  ';',
];

test('names of files to be saved are written as content-disposition 0.5 writes them', () => {
  for (const name of [...texts(NAME, 6, 4), undefined, null, 7, '', '/', '\ud800'] as Any[])
    assert.deepEqual(
      outcome(() => dispositionOf(name)),
      outcome(() => disposition(name)),
      JSON.stringify(name),
    );
});
