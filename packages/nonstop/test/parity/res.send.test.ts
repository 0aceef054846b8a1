import { handlers, parities, request, type HandlerRow, type Loose, type Turn } from './stage.js';

type Answer = (res: Turn['res'], note: Turn['note']) => unknown;

/** Rows whose handlers answer; `request` is sent to each. */
const rows = (table: readonly (readonly [string, Answer])[], send = request('GET /')): HandlerRow[] =>
  table.map(([name, answer]) => [name, ({ res, note }) => answer(res, note), send]);

const loose = (res: unknown): Loose => res as Loose;

const TYPES = [
  'text/html',
  'text/plain; charset=utf-8',
  'text/plain;charset=latin1',
  'application/json',
  'image/png',
  'application/octet-stream',
  'text/html; a="b;c"',
  'text/html; a=b; charset="x"',
  'TEXT/HTML',
  '',
];

const BODIES: readonly (readonly [string, unknown])[] = [
  ['a text', 'text'],
  ['a Buffer', Buffer.from('bytes')],
  ['an object', { a: 1 }],
  ['null', null],
  ['nothing', undefined],
];

/** Every content type with every kind of body. */
const typed = TYPES.flatMap((type) =>
  BODIES.map(([name, body]): readonly [string, Answer] => [
    `${name} of type ${type}`,
    (res) => res.set('Content-Type', type).send(body),
  ]),
);
const untyped = [0, 7, [], ['text/plain'], ['']].flatMap((type) =>
  BODIES.map(([name, body]): readonly [string, Answer] => [
    `${name} of the type ${JSON.stringify(type)}`,
    (res) => {
      res.setHeader('Content-Type', type);
      res.send(body);
    },
  ]),
);

/** Ways to get octets outside of ASCII into a head; every body is sent with each, short and long. */
const OUTSIDE_ASCII: readonly (readonly [string, (res: Turn['res']) => unknown])[] = [
  ['set()', (res) => res.set('X-Name', 'caf\xe9')],
  ['set() of a list', (res) => res.set('X-Name', ['caf\xe9', 'th\xe9'])],
  ['append()', (res) => res.append('X-Name', 'caf\xe9')],
  ['setHeader()', (res) => res.setHeader('X-Name', 'caf\xe9')],
  ['location()', (res) => res.location('/caf\xe9')],
  ['the reason', (res) => (res.statusMessage = 'Caf\xe9')],
  ['type()', (res) => res.set('Content-Type', 'text/x; a="\xe9"')],
];
const outsideAscii = OUTSIDE_ASCII.flatMap(([way, set]) =>
  [...BODIES, ['a text outside of ASCII', '\u20ac caf\xe9'] as const, ['a long text', 'x'.repeat(2000)] as const].map(
    ([name, body]): readonly [string, Answer] => [
      `${name}, and octets outside of ASCII by ${way}`,
      (res) => {
        set(res);
        res.send(body);
      },
    ],
  ),
);

const STATUSES = [
  101, 102, 103, 199, 200, 202, 203, 207, 226, 300, 302, 303, 305, 307, 308, 399, 400, 401, 405, 410, 418, 422, 429,
  451, 501, 503, 511, 599, 600, 999,
];

const sendStatuses = STATUSES.filter((status) => status >= 200).map((status): readonly [string, Answer] => [
  `sendStatus(${status})`,
  (res) => res.sendStatus(status),
]);

const NOT_STATUSES: unknown[] = [
  undefined,
  null,
  0,
  99,
  1000,
  -200,
  200.5,
  NaN,
  Infinity,
  '200',
  '',
  true,
  [200],
  {},
  10n,
];

const refused = NOT_STATUSES.flatMap((status): (readonly [string, Answer])[] => {
  const name =
    typeof status === 'bigint' ? `${status}n` : `${typeof status} ${String(JSON.stringify(status))} ${String(status)}`;
  return [
    [`status(${name})`, (res) => loose(res).status(status).end()],
    [`sendStatus(${name})`, (res) => loose(res).sendStatus(status)],
  ];
});

const states: readonly (readonly [string, Answer])[] = [
  ['the lowest status, and another', (res) => res.status(100).status(200).send('x')],
  ['statusCode written', (res) => ((res.statusCode = 203), res.send('x'))],
  ['statusMessage written', (res) => ((res.statusMessage = 'Mine'), res.send('x'))],
  ['statusMessage and sendStatus', (res) => ((res.statusMessage = 'Mine'), res.sendStatus(404))],
  ['an unknown statusCode', (res) => ((res.statusCode = 799), res.send('x'))],
  ['a status and json', (res) => res.status(201).json({ a: 1 })],
  ['a tag of its own and an object', (res) => res.set('ETag', 'W/"x"').send({ a: 1 })],
  ['an empty tag', (res) => res.set('ETag', '').send('x')],
  ['a length of its own', (res) => res.set('Content-Length', '1').send('text')],
  ['write before end', (res) => (res.write('a'), res.end('b'))],
  ['flushHeaders before end', (res) => (res.flushHeaders(), res.end('b'))],
  ['writeHead before end', (res) => res.writeHead(202, { 'X-One': '1' }).end('b')],
  [
    'headersSent before and after',
    (res) => {
      const before = res.headersSent;
      res.write(String(before));
      res.end(String(res.headersSent));
    },
  ],
  [
    'send after send',
    (res, note) => {
      res.send('first');
      try {
        res.send('second');
        note('not refused');
      } catch (error) {
        note((error as NodeJS.ErrnoException).code);
      }
    },
  ],
  [
    'set after send',
    (res, note) => {
      res.send('first');
      try {
        res.set('X-One', '1');
        note('not refused');
      } catch (error) {
        note((error as NodeJS.ErrnoException).code);
      }
    },
  ],
  [
    'end after send',
    (res) => {
      res.on('error', () => undefined).send('first');
      res.end('second');
    },
  ],
  [
    'send gives the response',
    (res) => {
      const given = res.send('x') as unknown;
      if (given !== res) throw new Error('another');
    },
  ],
  ['a subclass of Buffer', (res) => res.send(new (class extends Uint8Array {})([104, 105]))],
  ['an ArrayBuffer', (res) => res.send(new ArrayBuffer(2))],
  ['a String object', (res) => res.send(new String('boxed'))],
  ['a Map', (res) => res.send(new Map([['a', 1]]))],
  ['an Error', (res) => res.send(new Error('x'))],
  ['an object without prototype', (res) => res.send(Object.assign(Object.create(null) as object, { a: 1 }))],
  ['-0', (res) => res.send(-0)],
  ['NaN', (res) => res.send(NaN)],
  ['false', (res) => res.send(false)],
  ['a text of 999', (res) => res.send('x'.repeat(999))],
  ['a text of 1000', (res) => res.send('x'.repeat(1000))],
  ['a text of 1000 characters of three bytes', (res) => res.send('日'.repeat(1000))],
  ['a NUL', (res) => res.send('a\0b')],
  ['lone surrogates', (res) => res.send('\ud800 \udc00')],
  ['two arguments', (res) => loose(res).send(200, 'x')],
  ['a text of 70000', (res) => res.send('0123456789'.repeat(7000))],
  ['a Buffer of 70000', (res) => res.send(Buffer.alloc(70_000, 'b'))],
];

/** Results of an application's `etag` function, and requests for which they are fresh. */
const TAGS: readonly (readonly [string, (body: unknown, encoding: unknown) => unknown])[] = [
  ['a tag', () => '"own"'],
  ['a weak tag', () => 'W/"own"'],
  ['a tag of the length', (body) => `"${(body as Buffer).length}"`],
  ['nothing', () => undefined],
  ['null', () => null],
  ['an empty text', () => ''],
  ['a number', () => 7],
  ['a list', () => ['"a"', '"b"']],
  ['an object', () => ({ toString: () => '"made"' })],
  ['what no field may hold', () => 'a\nb'],
  [
    'an error',
    () => {
      throw new Error('no tag');
    },
  ],
];

const TAGGED: readonly (readonly [string, Answer])[] = [
  ['a text', (res) => res.send('text')],
  ['a text of three bytes a character', (res) => res.send('日本')],
  ['a long text', (res) => res.send('x'.repeat(5000))],
  ['an empty text', (res) => res.send('')],
  ['a Buffer', (res) => res.send(Buffer.from('bytes'))],
  ['a Uint8Array', (res) => res.send(new Uint8Array([104, 105]))],
  ['json', (res) => res.json({ a: 1 })],
  ['jsonp', (res) => res.jsonp({ a: 1 })],
  ['sendStatus', (res) => res.sendStatus(404)],
  ['nothing', (res) => res.send()],
  ['null', (res) => res.send(null)],
  ['a tag that is there', (res) => res.set('ETag', '"there"').send('x')],
  ['a status without a body', (res) => res.status(204).send('x')],
];

const FRESH: readonly (readonly [string, ReturnType<typeof request>])[] = [
  ['asked for', request('GET /')],
  ['asked for with its tag', request('GET /', { 'If-None-Match': '"own"' })],
  ['HEAD', request('HEAD /')],
];

/** The arguments of the `etag` function for each body are noted. */
const tagging = TAGS.flatMap(([name, tag]) =>
  FRESH.slice(0, name.endsWith('a tag') ? 3 : 1).map(([how, send]) =>
    handlers(
      `a tag function that gives ${name}, ${how}`,
      TAGGED.map(([what, answer]): HandlerRow => [what, ({ res, note }) => answer(res, note), send]),
      (app, _make, note) =>
        void app.set('etag', (body: unknown, encoding: unknown) => {
          note([Buffer.isBuffer(body), String(body).slice(0, 20), encoding]);
          return tag(body, encoding);
        }),
    ),
  ),
);

const METHODS = ['HEAD', 'POST', 'PUT', 'OPTIONS', 'DELETE'];

parities([
  ...tagging,
  handlers('res.send, type by type', rows([...typed, ...untyped])),
  handlers('res.sendStatus', rows(sendStatuses)),
  handlers('res.status and res.sendStatus refuse', rows(refused)),
  handlers('res.send and the state of the response', rows(states)),
  handlers('res.send with a head that is not ASCII', rows(outsideAscii)),
  handlers('res.send without tags', rows(states), (app) => void app.set('etag', false)),
  handlers('res.send with strong tags', rows(states), (app) => void app.set('etag', 'strong')),
  handlers(
    'res.send without X-Powered-By',
    rows(BODIES.map(([name, body]) => [name, (res) => res.send(body)] as const)),
    (app) => void app.disable('x-powered-by'),
  ),
  ...METHODS.map((method) =>
    handlers(
      `res.send to ${method}`,
      rows(
        states.filter(([name]) => !/write|flush/.test(name)),
        request(`${method} /`),
      ),
    ),
  ),
  handlers('res.send, kept alive', [
    ...rows(
      BODIES.map(([name, body]) => [name, (res) => res.send(body)] as const),
      Buffer.concat([request('GET /', { Connection: 'keep-alive' }), request('GET /')]),
    ),
  ]),
  handlers('res.send to HTTP/1.0', rows(states, Buffer.from('GET / HTTP/1.0\r\n\r\n'))),
]);
