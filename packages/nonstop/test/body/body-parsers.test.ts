import zlib = require('node:zlib');
import type { Express } from 'express';
import { eachAsExpress, request, type Case, type Kit, type Note } from '../support/beside-express.js';

type ParserName = 'json' | 'raw' | 'text' | 'urlencoded';

/** Mounts a parser with options, and returns what the handler finds. */
const parsing =
  (name: ParserName, options?: object) =>
  (app: Express, kit: Kit, note: Note): void => {
    app.use((req, _res, next) => (note('body' in req), next()));
    app.use(kit[name](options));
    app.use((req, res) => {
      note(['body' in req, req.body]);
      res.end();
    });
  };

const post = (
  type: string | undefined,
  body: string | Buffer,
  fields: Record<string, string | undefined> = {},
): Buffer => request('POST /', { 'Content-Type': type, ...fields }, body);

const chunked = (type: string, chunks: readonly (string | Buffer)[], fields: Record<string, string> = {}): Buffer[] => [
  request('POST /', { 'Content-Type': type, 'Transfer-Encoding': 'chunked', ...fields }),
  ...chunks.map((chunk) => {
    const bytes = Buffer.from(chunk);
    return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
  }),
  Buffer.from('0\r\n\r\n'),
];

const TYPES: Record<ParserName, string> = {
  json: 'application/json',
  raw: 'application/octet-stream',
  text: 'text/plain',
  urlencoded: 'application/x-www-form-urlencoded',
};
const BODIES: Record<ParserName, string> = {
  json: '{"name":"日本","list":[1,2]}',
  raw: 'bytes \xff',
  text: 'a text with é',
  urlencoded: 'name=%E6%97%A5&list=1&list=2&a[b]=c',
};
const names = Object.keys(TYPES) as ParserName[];

/** Cases for all four parsers. */
const common = (name: ParserName): [string, object | undefined, Buffer | Buffer[]][] => {
  const [type, body] = [TYPES[name], BODIES[name]];
  const gzip = zlib.gzipSync(body);
  const refuse = (error: unknown) => () => {
    throw error;
  };
  return [
    ['parses a body', undefined, post(type, body)],
    ['parses a body in chunks', undefined, chunked(type, [...body].map(String))],
    [
      'parses chunks that cut a character',
      undefined,
      chunked(
        type,
        [...Buffer.from(body)].map((byte) => Buffer.from([byte])),
      ),
    ],
    ['parses an empty body', undefined, post(type, '', { 'Content-Length': '0' })],
    ['parses an empty body in chunks', undefined, chunked(type, [])],
    ['leaves a request without body alone', undefined, request('GET /', { 'Content-Type': type })],
    ['leaves another type alone', undefined, post('image/png', body)],
    ['leaves a missing type alone', undefined, post(undefined, body)],
    ['leaves a type that is none alone', undefined, post('nonsense', body)],
    ['reads the type in any case', undefined, post(type.toUpperCase(), body)],
    ['reads a type with parameters', undefined, post(`${type}; a="b;c"; charset=UTF-8`, body)],
    ['strips a byte order mark', undefined, post(type, `\ufeff${body}`)],
    [
      'decodes broken UTF-8',
      undefined,
      post(type, Buffer.concat([Buffer.from(body), Buffer.from([0xe6, 0x97, 0xff, 0xe6])])),
    ],
    ['parses gzip', undefined, post(type, gzip, { 'Content-Encoding': 'gzip' })],
    ['parses deflate', undefined, post(type, zlib.deflateSync(body), { 'Content-Encoding': 'Deflate' })],
    ['parses brotli', undefined, post(type, zlib.brotliCompressSync(body), { 'Content-Encoding': 'br' })],
    [
      'parses gzip in chunks',
      undefined,
      chunked(type, [gzip.subarray(0, 9), gzip.subarray(9)], { 'Content-Encoding': 'gzip' }),
    ],
    [
      'parses gzip with something after it',
      undefined,
      post(type, Buffer.concat([gzip, Buffer.from('more')]), { 'Content-Encoding': 'gzip' }),
    ],
    ['refuses broken gzip', undefined, post(type, 'no gzip at all', { 'Content-Encoding': 'gzip' })],
    ['refuses gzip that is cut', undefined, post(type, gzip.subarray(0, 12), { 'Content-Encoding': 'gzip' })],
    ['refuses an unknown coding', undefined, post(type, body, { 'Content-Encoding': 'x-mine' })],
    ['refuses two codings', undefined, post(type, body, { 'Content-Encoding': 'gzip, br' })],
    ['refuses a coding when told not to inflate', { inflate: false }, post(type, gzip, { 'Content-Encoding': 'gzip' })],
    [
      'reads identity when told not to inflate',
      { inflate: false },
      post(type, body, { 'Content-Encoding': 'identity' }),
    ],
    ['refuses a body that announces too much', { limit: 8 }, post(type, body)],
    ['refuses chunks that become too much', { limit: '8b' }, chunked(type, [body.slice(0, 5), body.slice(5)])],
    [
      'refuses what inflates to too much',
      { limit: 1024 },
      post(type, zlib.gzipSync(Buffer.alloc(5000, ' ')), { 'Content-Encoding': 'gzip' }),
    ],
    ['accepts a body of just the limit', { limit: Buffer.byteLength(body) }, post(type, body)],
    ['refuses a body of the default limit and one byte', undefined, post(type, Buffer.alloc(102_401, ' '))],
    ['refuses every body under a limit of none', { limit: 0 }, post(type, body)],
    ['takes a limit of null for the default', { limit: null }, post(type, body)],
    ['refuses an unknown charset', undefined, post(`${type}; charset=x-mine`, body)],
    [
      'refuses an unknown charset before it verifies',
      { verify: refuse(new Error('no')) },
      post(`${type}; charset=utf-99`, body),
    ],
    [
      'refuses an unknown charset before an unknown coding',
      undefined,
      post(`${type}; charset=x-mine`, body, { 'Content-Encoding': 'x-mine' }),
    ],
    ['reads the default charset', { defaultCharset: name === 'json' ? 'utf-16le' : 'iso-8859-1' }, post(type, body)],
    [
      'verifies bytes',
      {
        verify: (_req: object, _res: object, bytes: Buffer, charset: string) =>
          refuse(Object.assign(new Error(`${bytes.length} ${charset}`), { type: 'mine', status: 418 }))(),
      },
      post(type, body),
    ],
    [
      'verifies inflated bytes',
      { verify: (_req: object, _res: object, bytes: Buffer) => refuse(new Error(bytes.toString()))() },
      post(type, gzip, { 'Content-Encoding': 'gzip' }),
    ],
    ['verifies and then parses', { verify: () => undefined }, post(type, `\ufeff${body}`)],
    ['verifies with a text thrown', { verify: refuse('a text') }, post(type, body)],
    ['parses the types it is told to', { type: ['image/*', '+mine', 'html'] }, post('application/x+mine', body)],
    [
      'parses what a function chooses',
      { type: (req: { headers: object }) => 'x-mine' in req.headers },
      post('image/png', body, { 'X-Mine': '1' }),
    ],
    ['passes over what a function does not choose', { type: () => false }, post(type, body)],
    [
      'finds the connection usable after a refusal',
      { limit: 8 },
      [post(type, Buffer.alloc(70_000, ' '), { Connection: 'keep-alive' }), post(type, '')],
    ],
  ];
};

/** What a reviver may throw that is no error, or cannot be changed as one. */
const NO_ERRORS: Readonly<Record<string, unknown>> = {
  nothing: undefined,
  null: null,
  'a text': 'a text',
  'an empty text': '',
  'a number': 7,
  'a symbol': Symbol('own'),
  'an object': { message: 'mine' },
  'an object with a stack': { message: 'mine', stack: 'mine, at a place' },
  'a list': ['mine'],
  'a function': () => undefined,
  'an error without a stack': Object.assign(new Error('mine'), { stack: undefined }),
  'a frozen error': Object.freeze(new Error('mine')),
  'a frozen error with a field': Object.freeze(Object.assign(new Error('mine'), { status: 418 })),
};

const json: [string, object | undefined, Buffer | Buffer[]][] = [
  ...[
    'null',
    '1',
    '"x"',
    ' true',
    'nonsense',
    '{"a":1',
    '[1,]',
    '{"a":1}x',
    ' \r\n\t',
    '#',
    ' $&',
    '  #not json',
    "{'a':1}",
    `"${'long '.repeat(30)}"`,
    '\ufeff',
    '\v{}',
  ].flatMap((body): [string, object | undefined, Buffer][] => [
    [`parses ${JSON.stringify(body)} strictly`, undefined, post(TYPES.json, body)],
    [`parses ${JSON.stringify(body)} leniently`, { strict: false }, post(TYPES.json, body)],
  ]),
  [
    'uses a reviver',
    { reviver: (key: string, value: unknown) => (key === 'name' ? 'revived' : value) },
    post(TYPES.json, BODIES.json),
  ],
  [
    'reports what a reviver throws, without its fields',
    {
      reviver: () => {
        throw Object.assign(new Error('mine'), { status: 418, type: 'mine', extra: 1 });
      },
    },
    post(TYPES.json, BODIES.json),
  ],
  ...Object.entries(NO_ERRORS).map(([name, thrown]): [string, object, Buffer] => [
    `reports that a reviver throws ${name}`,
    {
      reviver: () => {
        throw thrown;
      },
    },
    post(TYPES.json, BODIES.json),
  ]),
  ['reads a key named __proto__', undefined, post(TYPES.json, '{"__proto__":{"a":1}}')],
  ['refuses a charset that is not of Unicode', undefined, post(`${TYPES.json}; charset=iso-8859-1`, BODIES.json)],
  // V8 shows a text of up to 20 characters as a whole.
  ['refuses a scalar after spaces', undefined, post(TYPES.json, '     "a text"')],
  ['decodes UTF-16', undefined, post(`${TYPES.json}; charset=utf-16`, Buffer.from(`\ufeff${BODIES.json}`, 'utf16le'))],
  [
    'decodes UTF-16 after it verified',
    { verify: () => undefined },
    post(`${TYPES.json}; charset=utf-16`, Buffer.from(BODIES.json, 'utf16le')),
  ],
];

const text: [string, object | undefined, Buffer | Buffer[]][] = [
  ['decodes latin1', undefined, post('text/plain; charset=iso-8859-1', Buffer.from('é', 'latin1'))],
  ['decodes Cyrillic', undefined, post('text/plain; charset=koi8-r', Buffer.from([0xce, 0xc5, 0xd4]))],
  ['decodes utf8 without its dash', undefined, post('text/plain; charset=utf8', 'é')],
  ['refuses a default charset that is unknown', { defaultCharset: 'X-Mine' }, post('text/plain', 'a')],
  [
    'refuses a default charset that is unknown before it verifies',
    { defaultCharset: 'X-Mine', verify: () => undefined },
    post('text/plain', 'a'),
  ],
];

const form: [string, object | undefined, Buffer | Buffer[]][] = [
  ...[
    'a=1&a=2',
    'a[]=1&a[]=2',
    'a[b][c]=d',
    'a.b=c',
    '&&a=1&',
    '=',
    'a',
    'a=%zz',
    'a=b+c',
    '__proto__[x]=1',
    'hasOwnProperty=1',
    `a[${'b]['.repeat(40)}c]=1`,
    'a[2]=x&a[0]=y',
    'a[200]=x',
  ].flatMap((body): [string, object, Buffer][] => [
    [`parses ${body} plainly`, { extended: false }, post(TYPES.urlencoded, body)],
    [`parses ${body} extended`, { extended: true }, post(TYPES.urlencoded, body)],
  ]),
  ['refuses what is deeper than told', { extended: true, depth: 1 }, post(TYPES.urlencoded, 'a[b][c][d]=1')],
  ['parses to no depth', { extended: true, depth: 0 }, post(TYPES.urlencoded, 'a[b]=1')],
  ['refuses more parameters than the default', undefined, post(TYPES.urlencoded, 'a=1&'.repeat(1000))],
  ['refuses more parameters than told', { parameterLimit: 2.9 }, post(TYPES.urlencoded, 'a=1&b=2&c=3')],
  ['parses as many parameters as told', { parameterLimit: 3 }, post(TYPES.urlencoded, 'a=1&b=2&c=3')],
  ['parses any number of parameters', { parameterLimit: Infinity }, post(TYPES.urlencoded, 'a=1&'.repeat(2000))],
  [
    'parses long lists',
    { extended: true },
    post(TYPES.urlencoded, Array.from({ length: 150 }, (_, i) => `a=${i}`).join('&')),
  ],
  ['parses latin1', undefined, post(`${TYPES.urlencoded}; charset=iso-8859-1`, 'a=%A2')],
  ['parses what a sentinel says', { charsetSentinel: true }, post(TYPES.urlencoded, 'utf8=%26%2310003%3B&a=%C3%B8')],
  [
    'reads numeric entities',
    { charsetSentinel: true, interpretNumericEntities: true },
    post(TYPES.urlencoded, 'utf8=%26%2310003%3B&a=%26%239786%3B'),
  ],
  ['refuses another charset', undefined, post(`${TYPES.urlencoded}; charset=koi8-r`, 'a=1')],
];

const named = (name: ParserName, cases: [string, object | undefined, Buffer | Buffer[]][]): Case[] =>
  cases.map(([does, options, send]) => ({ name: `${name} ${does}`, app: parsing(name, options), send }));

eachAsExpress([
  ...names.flatMap((name) => named(name, common(name))),
  ...named('json', json),
  ...named('text', text),
  ...named('urlencoded', form),
  ...names.map((name): Case => ({
    name: `${name} passes over a body that was parsed before`,
    app: (app, kit, note) => {
      app.use(kit[name]());
      app.use(kit[name]({ limit: 1 }));
      app.use((req, res) => (note(req.body), void res.end()));
    },
    send: post(TYPES[name], BODIES[name]),
  })),
  ...names.flatMap((name) =>
    [null, false, ''].map((type): Case => ({
      name: `${name} leaves a request alone whose type a program has made ${JSON.stringify(type)}`,
      app: (app, kit, note) => {
        app.use((req, _res, next) => (Object.assign(req.headers, { 'content-type': type }), next()));
        parsing(name)(app, kit, note);
      },
      send: post(TYPES[name], BODIES[name]),
    })),
  ),
  {
    name: 'json refuses a body that another reader has made text of',
    app: (app, kit, note) => {
      app.use((req, _res, next) => (req.setEncoding('utf8'), next()));
      parsing('json')(app, kit, note);
    },
    send: post(TYPES.json, '{}'),
    shows: /stream.encoding.set/,
  },
  // Express's `raw` ends the process.
  ...(['json', 'text', 'urlencoded'] as const).flatMap((name) =>
    [post(TYPES[name], BODIES[name]), chunked(TYPES[name], [...BODIES[name]])].map((send, at): Case => ({
      name: `${name} reads ${at === 0 ? 'a body' : 'chunks'} of which a program makes text while they come`,
      app: (app, kit, note) => {
        app.use((req, _res, next) => {
          next();
          req.setEncoding('utf8').on('data', () => undefined);
        });
        parsing(name)(app, kit, note);
      },
      send,
    })),
  ),
  {
    name: 'json keeps a body that was set before',
    app: (app, kit, note) => {
      app.use((req, _res, next) => ((req.body = 'mine'), next()));
      parsing('json')(app, kit, note);
    },
    send: request('POST /'),
    shows: /mine/,
  },
]);
