import { handlers, parities, request, type HandlerRow, type Loose, type Program } from './stage.js';

const VALUES: readonly (readonly [string, unknown])[] = [
  ['an object', { a: 1, b: [true, null, 'x'], c: { d: 'e' } }],
  ['an empty object', {}],
  ['an array', [1, [2, [3]]]],
  ['a text', 'text'],
  ['an empty text', ''],
  ['quotes and controls', '"\\\b\n\u0001\u007f'],
  ['line separators', '\u2028\u2029'],
  ['HTML', '<script>alert("&")</script>'],
  ['keys of HTML', { '<a>': { '&': '>' } }],
  ['lone surrogates', '\ud800x\udfff'],
  ['other letters', 'é日🎉'],
  ['a number', 1.5],
  ['a great number', 1e21],
  ['NaN', NaN],
  ['null', null],
  ['nothing', undefined],
  ['a boolean', false],
  ['a function', () => 1],
  ['a symbol', Symbol('x')],
  ['a bigint', 1n],
  ['a date', new Date(86_400_000)],
  ['a Buffer', Buffer.from('ab')],
  ['a typed array', new Uint8Array([1, 2])],
  ['a Map', new Map([[1, 2]])],
  ['a RegExp', /x/],
  ['an error', new TypeError('x')],
  ['what has no value', { a: undefined, b: () => 1, c: Symbol('x') }],
  ['holes', Object.assign([undefined, () => 1], { 4: 'behind holes' })],
  ['toJSON', { toJSON: (key: string) => ({ key }) }],
  ['toJSON of nothing', { toJSON: () => undefined }],
  [
    'toJSON that throws',
    {
      toJSON: () => {
        throw new Error('no JSON');
      },
    },
  ],
  [
    'a getter that throws',
    {
      get a() {
        throw new RangeError('no value');
      },
    },
  ],
  ['boxed values', [new Number(1), new String('s'), new Boolean(false)]],
  ['a long list', Array.from({ length: 300 }, (_item, i) => ({ i }))],
  ['inherited names', Object.create({ a: 1 })],
];

const SETTINGS: readonly (readonly [string, Record<string, unknown>])[] = [
  ['by default', {}],
  ['escaped', { 'json escape': true }],
  ['with two spaces', { 'json spaces': 2 }],
  ['with twenty spaces', { 'json spaces': 20 }],
  ['with a text as spaces', { 'json spaces': '--' }],
  ['with a replacer', { 'json replacer': (key: string, value: unknown) => (key === 'a' ? 'replaced' : value) }],
  ['with a list of names', { 'json replacer': ['a', 'd', 'i'] }],
  [
    'escaped, replaced and spaced',
    { 'json escape': true, 'json spaces': '\t', 'json replacer': (_key: string, value: unknown) => value },
  ],
];

const CALLBACKS = [
  '?callback=cb',
  '?callback=a.b%5B0%5D',
  '?callback=',
  '?callback=a&callback=b',
  '?callback[]=a',
  '?callback[a]=b',
  '?callback=%C3%A9x',
  '?callback=alert(1)//',
  '?cb=a',
  '?callback=$_',
  '?callback=%00x',
];

const tables: Program[] = SETTINGS.flatMap(([how, settings]) => {
  const setup = (app: { set(name: string, value: unknown): unknown }): void => {
    for (const [name, value] of Object.entries(settings)) app.set(name, value);
  };
  const json = VALUES.map(([name, value]): HandlerRow => [name, ({ res }) => res.json(value)]);
  const jsonp = VALUES.map(([name, value]): HandlerRow => [
    name,
    ({ res }) => res.jsonp(value),
    request('GET /?callback=cb'),
  ]);
  return [handlers(`res.json ${how}`, json, setup), handlers(`res.jsonp ${how}`, jsonp, setup)];
});

const callbacks = (how: string, settings: Record<string, unknown>): Program =>
  handlers(
    `res.jsonp reads its callback ${how}`,
    CALLBACKS.map((query): HandlerRow => [
      query,
      ({ req, res }) => res.jsonp({ asked: req.url, a: '\u2028' }),
      request(`GET /${query}`),
    ]),
    (app) => {
      for (const [name, value] of Object.entries(settings)) app.set(name, value);
    },
  );

parities([
  ...tables,
  callbacks('by default', {}),
  callbacks('from an extended query', { 'query parser': 'extended' }),
  callbacks('by another name', { 'jsonp callback name': 'cb' }),
  callbacks('without queries', { 'query parser': false }),
  handlers('res.json and res.jsonp keep what is set', [
    ['a type and json', ({ res }) => res.type('text/plain').json('x')],
    ['a type and jsonp', ({ res }) => res.type('text/plain').jsonp('x')],
    ['a type and jsonp with a callback', ({ res }) => res.type('text/plain').jsonp('x'), request('GET /?callback=a')],
    ['a status and jsonp', ({ res }) => res.status(404).jsonp(null), request('GET /?callback=a')],
    ['nosniff set otherwise', ({ res }) => res.set('X-Content-Type-Options', 'no').jsonp(1)],
    ['two arguments of json', ({ res }) => (res as Loose).json(201, { a: 1 })],
    ['two arguments of jsonp', ({ res }) => (res as Loose).jsonp(201, { a: 1 })],
    ['HEAD of json', ({ res }) => res.json({ a: 1 }), request('HEAD /')],
    ['a matching tag', ({ res }) => res.json({ a: 1 }), request('GET /', { 'If-None-Match': '*' })],
    ['status 204', ({ res }) => res.status(204).json({ a: 1 })],
  ]),
]);
