import zlib from 'node:zlib';
import type express = require('express');
import { inspect } from 'node:util';
import { parities, request, type Program, type Row } from './stage.js';

type Parser = 'json' | 'urlencoded' | 'raw' | 'text';

const show: express.RequestHandler = (req, res) => {
  const { body } = req as { body?: unknown };
  res.end(
    inspect(['body' in req, body, body !== null && typeof body === 'object' && Object.getPrototypeOf(body) === null], {
      depth: 9,
      breakLength: 120,
    }).slice(0, 4000),
  );
};

const program = (name: string, parser: Parser, options: object | undefined, rows: readonly Row[]): Program => ({
  name: `${parser}: ${name}`,
  rows,
  app: (app, make) => {
    // Bodies with the same meaning get the same answer, so the answer repeats the fields that distinguish the requests.
    app.use((req, res, next) => {
      const said = ['content-type', 'content-encoding', 'transfer-encoding'].map((field) => req.headers[field]);
      res.set('X-Said', encodeURIComponent(inspect([req.method, ...said])));
      next();
    });
    app.use((make[parser] as (options?: object) => express.RequestHandler)(options), show);
  },
});

/** Sends a POST; `fields` override the default fields. */
const post = (
  name: string,
  type: string | undefined,
  body: string | Buffer,
  fields: Record<string, string | undefined> = {},
): Row => ({
  name: name.slice(0, 160),
  send: request('POST /', { 'Content-Type': type, ...fields }, body),
});

const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';

const JSONS = [
  '{}',
  '[]',
  '{"a":1}',
  ' \n\t{"a" : [1, {"b": null}]} ',
  '[1,2',
  '{"a":}',
  '{a:1}',
  "{'a':1}",
  'text',
  '"text"',
  '7',
  'null',
  'true',
  '',
  ' ',
  '{"a":1}x',
  '{"a":1,"a":2}',
  '{"constructor":{"prototype":1}}',
  '{"__proto__":1}',
  '[1,]',
  '{"a":"\\u00e9\\ud83d"}',
  '{"a":"\t"}',
  '{"é":"日"}',
  '\ufeff{"a":1}',
  '{"a":1e400}',
  '{"a":-0}',
  `${'['.repeat(200)}${']'.repeat(200)}`,
  '\0',
  '{',
  '[',
  '}{',
  '{"a":"<script>"}',
];

const FORMS = [
  '',
  'a=1',
  'a=1&a=2',
  'a',
  '=1',
  '&&',
  'a=1&',
  'a=%20+b',
  'a=%zz',
  'a=%C3%A9',
  'a=%E9',
  'é=日',
  'a[]=1&a[]=2',
  'a[b]=1',
  'a[b][c]=1&a[b][d]=2',
  'a[0]=x&a[1]=y',
  'a[2]=x',
  'a.b=1',
  'a[=1',
  'a]=1',
  '__proto__[x]=1',
  'a[__proto__]=1',
  'hasOwnProperty=1',
  'constructor=1',
  'a;b',
  'a=b=c',
  'utf8=%E2%9C%93&a=1',
  'a=&b=',
  'x[]=1&'.repeat(120),
  `a${'[b]'.repeat(33)}=1`,
  'a=1\r\n',
  'a=%26%2310003%3B',
];

const TEXTS = ['', 'text', 'é日🎉', '\ufefftext', 'a\0b', ' \r\n ', 'x'.repeat(3000)];

const json = (name: string, options: object | undefined): Program =>
  program(
    name,
    'json',
    options,
    JSONS.map((body) => post(JSON.stringify(body), JSON_TYPE, body)),
  );

const form = (name: string, options: object | undefined): Program =>
  program(
    name,
    'urlencoded',
    options,
    FORMS.map((body) => post(JSON.stringify(body), FORM, body)),
  );

const TYPES: Record<Parser, readonly (string | undefined)[]> = {
  json: [
    JSON_TYPE,
    'application/vnd.api+json',
    'text/json',
    'APPLICATION/JSON; a=b',
    'text/html',
    undefined,
    '',
    'application/json; charset=latin1',
    'application/json; charset="UTF-8"',
    'application/json; charset=utf-16le',
    'application/json; charset=utf8',
    'application/json, text/html',
  ],
  urlencoded: [
    FORM,
    `${FORM}; charset=utf-8`,
    `${FORM}; charset=iso-8859-1`,
    `${FORM};charset=x`,
    'multipart/form-data; boundary=x',
    undefined,
    'text/plain',
    FORM.toUpperCase(),
  ],
  text: [
    'text/plain',
    'text/plain; charset=iso-8859-1',
    'text/plain; charset=utf-16',
    'text/plain; charset=nope',
    'text/html',
    undefined,
    'TEXT/PLAIN',
    'text/plain; charset=""',
  ],
  raw: [
    'application/octet-stream',
    'application/octet-stream; charset=x',
    'image/png',
    undefined,
    'APPLICATION/Octet-Stream',
    'text/plain',
  ],
};

const TYPE_OPTIONS: readonly (readonly [string, unknown])[] = [
  ['the default type', undefined],
  ['every type', '*/*'],
  ['a list of types', ['text/*', '+json', 'urlencoded']],
  ['a function of the type', (req: express.Request) => req.headers['content-type'] !== undefined],
  [
    'a function that throws',
    () => {
      throw Object.assign(new Error('of the type'), { status: 477 });
    },
  ],
  ['no type', false],
];

const BODIES: Record<Parser, string> = {
  json: '{"a":"\xe9"}',
  urlencoded: 'a=\xe9&b=%E9',
  text: 'text \xe9',
  raw: 'raw \xe9',
};

const types = (Object.keys(TYPES) as Parser[]).flatMap((parser) =>
  TYPE_OPTIONS.map(([name, type]) =>
    program(
      name,
      parser,
      type === undefined ? undefined : { type },
      TYPES[parser].map((each) => post(String(each), each, Buffer.from(BODIES[parser], 'latin1'))),
    ),
  ),
);

const LIMITS: unknown[] = [0, 1, 9, 10, 11, '10', '10b', '1kb', '0.01kb', null, Infinity];

/** Ten bytes each, with a length and in chunks, plain and compressed. */
const TEN: Record<Parser, readonly [type: string, body: string]> = {
  json: [JSON_TYPE, '{"a":"bc"}'],
  urlencoded: [FORM, 'a=12345678'],
  text: ['text/plain', '0123456789'],
  raw: ['application/octet-stream', '0123456789'],
};

/** Fewer than 128 bytes as a raw block in a zstd frame (RFC 8878 §3.1.1), because older versions of Node have no zstd. */
function zstd(body: string): Buffer {
  const head = [0x28, 0xb5, 0x2f, 0xfd, 0x20, body.length, (body.length << 3) | 1, 0, 0];
  return Buffer.concat([Buffer.from(head), Buffer.from(body)]);
}

const framed = (parser: Parser): Row[] => {
  const [type, body] = TEN[parser];
  const coded = (coding: string, bytes: Buffer): Row => post(coding, type, bytes, { 'Content-Encoding': coding });
  return [
    post('by length', type, body),
    {
      name: 'in chunks',
      send: request(
        'POST /',
        { 'Content-Type': type, 'Transfer-Encoding': 'chunked', 'Content-Length': undefined },
        `4\r\n${body.slice(0, 4)}\r\n6\r\n${body.slice(4)}\r\n0\r\n\r\n`,
      ),
    },
    coded('gzip', zlib.gzipSync(body)),
    coded('deflate', zlib.deflateSync(body)),
    coded('br', zlib.brotliCompressSync(body)),
    coded('zstd', zstd(body)),
    coded('zstd, cut off', zstd(body).subarray(0, 12)),
    coded('identity', Buffer.from(body)),
    coded('GZIP', zlib.gzipSync(body)),
    coded('compress', Buffer.from(body)),
    coded('', Buffer.from(body)),
    coded('gzip ', zlib.gzipSync(body).subarray(0, 15)),
    coded('x-gzip', zlib.gzipSync(body)),
    { name: 'gzip that is text', send: request('POST /', { 'Content-Type': type, 'Content-Encoding': 'gzip' }, body) },
    { name: 'no body', send: request('POST /', { 'Content-Type': type }) },
    { name: 'an empty body', send: request('POST /', { 'Content-Type': type, 'Content-Length': '0' }) },
    { name: 'GET with a body', send: request('GET /', { 'Content-Type': type }, body) },
    {
      name: 'two on a connection',
      send: [
        request('POST /', { 'Content-Type': type, Connection: 'keep-alive' }, body),
        request('PUT /', { 'Content-Type': type }, body),
      ],
    },
    { name: 'Expect: 100-continue', send: request('POST /', { 'Content-Type': type, Expect: '100-continue' }, body) },
  ];
};

const parsers = Object.keys(TEN) as Parser[];
const limits = parsers.flatMap((parser) =>
  LIMITS.map((limit) => program(`a limit of ${inspect(limit)}`, parser, { limit }, framed(parser).slice(0, 5))),
);
const framings = parsers.flatMap((parser) => [
  program('framings and codings', parser, undefined, framed(parser)),
  program('framings and codings, not inflated', parser, { inflate: false }, framed(parser)),
]);

const refuse =
  (how: string): ((req: unknown, res: unknown, buf: Buffer, encoding: unknown) => void) =>
  (_req, _res, buf, encoding) => {
    if (how === 'error') throw Object.assign(new Error(`seen ${buf.length} ${String(encoding)}`), { own: 1 });
    if (how === 'status') throw Object.assign(new Error('seen'), { status: 401, type: 'own.type' });
    if (how === 'text') throw 'a text';
    if (how === 'nothing') throw undefined;
  };

const verified = parsers.flatMap((parser) =>
  ['error', 'status', 'text', 'passes'].map((how) =>
    program(`verify: ${how}`, parser, { verify: refuse(how) }, framed(parser).slice(0, 3)),
  ),
);

/** Options that a program changes when it has made its parser. */
const changed: Program = {
  ...form('whose options change', { extended: true }),
  app: (app, make) => {
    const options = {
      extended: true,
      charsetSentinel: true,
      interpretNumericEntities: true,
      defaultCharset: 'iso-8859-1',
    };
    app.use(make.urlencoded(options), show);
    Object.assign(options, { extended: false, charsetSentinel: false, interpretNumericEntities: false });
  },
  rows: ['utf8=%E2%9C%93&a=1', 'a=%26%239786%3B', 'a[b]=1'].map((body) => post(body, FORM, body)),
};

parities([
  changed,
  json('bodies', undefined),
  json('bodies, not strict', { strict: false }),
  json('bodies with a reviver', {
    reviver: (key: string, value: unknown) => (key === 'a' ? `revived ${String(value)}` : value),
  }),
  json('bodies by another charset', { defaultCharset: 'utf-16le' }),
  form('simple', undefined),
  form('simple, said', { extended: false }),
  form('extended', { extended: true }),
  form('extended, few parameters', { extended: true, parameterLimit: 2 }),
  form('simple, few parameters', { parameterLimit: 2 }),
  ...[2 ** 31 - 1, 2 ** 31, 2 ** 32, Number.MAX_SAFE_INTEGER, Infinity].map((parameterLimit) =>
    form(`extended, a limit of ${parameterLimit} parameters`, { extended: true, parameterLimit }),
  ),
  form('extended to depth 1', { extended: true, depth: 1 }),
  form('latin1', { defaultCharset: 'iso-8859-1' }),
  form('with a sentinel', { charsetSentinel: true, extended: true }),
  form('with numeric entities', { interpretNumericEntities: true, defaultCharset: 'iso-8859-1' }),
  program(
    'bodies',
    'text',
    undefined,
    TEXTS.map((body) => post(JSON.stringify(body), 'text/plain', body)),
  ),
  program(
    'bodies by another charset',
    'text',
    { defaultCharset: 'utf-16le' },
    TEXTS.map((body) => post(JSON.stringify(body), 'text/plain', body)),
  ),
  program(
    'bodies',
    'raw',
    undefined,
    TEXTS.map((body) => post(JSON.stringify(body), 'application/octet-stream', body)),
  ),
  ...types,
  ...limits,
  ...framings,
  ...verified,
  {
    name: 'parsers one behind the other',
    app: (app, make) =>
      void app.use(
        make.json(),
        make.urlencoded({ extended: true }),
        make.text({ type: '*/*', limit: 5 }),
        make.raw({ type: '*/*' }),
        show,
      ),
    rows: [
      post('json', JSON_TYPE, '{}'),
      post('form', FORM, 'a=1'),
      post('text', 'x/y', 'four'),
      post('too long', 'x/y', 'longer'),
      post('bad json', JSON_TYPE, '{'),
      post('none', undefined, 'x'),
    ],
  },
]);
