import { inspect } from 'node:util';
import { handlers, parities, type HandlerRow, type Loose, type Program, type Turn } from './stage.js';

type Calls = readonly (readonly unknown[])[];

/** Calls a method with each list of arguments, then outputs the fields. */
const calling =
  (method: string, calls: Calls) =>
  ({ res }: Turn): void => {
    const results = calls.map((args) => {
      try {
        return res[method](...args) === (res as unknown) ? 'itself' : 'something else';
      } catch (error) {
        return String(error);
      }
    });
    const kept = inspect(res.getHeaders(), { breakLength: 200, sorted: false });
    res.end(`${results.join(', ')}; ${kept}`);
  };

/** Rows for a table of calls; the arguments are the names. */
function table(method: string, list: readonly Calls[]): Program {
  return handlers(
    `res.${method}`,
    list.map((calls, i): HandlerRow => [
      `${i}: ${inspect(calls, { depth: 4, breakLength: Infinity })}`,
      calling(method, calls),
    ]),
  );
}

const VALUES: unknown[] = [
  'v',
  '',
  ' padded ',
  7,
  0,
  -1.5,
  true,
  false,
  null,
  undefined,
  10n,
  [],
  ['a'],
  ['a', 'b'],
  ['a', 2, null],
  [['a', 'b'], 'c'],
  {},
  { toString: () => 'made' },
  new Date(0),
  Symbol.iterator,
  'é',
  '日',
  'a\nb',
  'a\rb',
  'a\0b',
  'tab\there',
  '\x7f',
  '\xff',
];
const NAMES: unknown[] = [
  'X-One',
  'x-ONE',
  'x_y',
  '!#$%&*+-.^`|~',
  '',
  ' ',
  'a b',
  'a:b',
  'é',
  'x\n',
  null,
  undefined,
  7,
  true,
  [],
  ['X-One'],
  Symbol('x'),
];
const TYPES: unknown[] = [
  'html',
  'text/html',
  'json',
  '.css',
  'text/plain; charset=x',
  'text/x-mine',
  'nobody-knows',
  'image/png',
  'application/json',
  'application/javascript',
  'application/xml',
  'image/svg+xml',
  'a/b',
  'a',
  '',
  '/',
  'text/html;',
  'TEXT/HTML',
  'charset=x',
  'font/woff2',
  'application/wasm',
  'multipart/form-data',
  'text/*',
  7,
  null,
  undefined,
  ['html'],
  {},
];

const throwing = {
  toString(): string {
    throw new Error('of the value');
  },
};

const set: Calls[] = [
  // The value is read before the name.
  [
    [undefined, throwing],
    ['Content-Type', [throwing]],
    ['Content-Type', [Symbol('in a list')]],
    [7, Object.create(null)],
  ],
  ...VALUES.map((value): Calls => [['X-One', value]]),
  ...NAMES.map((name): Calls => [[name, 'v']]),
  ...TYPES.map((type): Calls => [['Content-Type', type]]),
  [
    ['X-One', 'a'],
    ['x-one', 'b'],
  ],
  [[{ 'X-One': 'a', 'X-Two': ['b', 'c'], 'content-type': 'html' }]],
  [[{}]],
  [[null]],
  [[]],
  [['X-One']],
  [[{ 'X-One': 'a' }, 'ignored']],
  [['Set-Cookie', ['a=1', 'b=2']]],
  [['__proto__', 'x']],
];

const append: Calls[] = [
  ...VALUES.map((value): Calls => [
    ['X-One', 'first'],
    ['X-One', value],
  ]),
  ...NAMES.slice(0, 8).map((name): Calls => [
    [name, 'v'],
    [name, 'w'],
  ]),
  [
    ['X-One', 'a'],
    ['x-one', 'b'],
    ['X-ONE', ['c', 'd']],
  ],
  [
    ['Set-Cookie', 'a=1'],
    ['Set-Cookie', ['b=2', 'c=3']],
  ],
  [
    ['Content-Type', 'text/html'],
    ['Content-Type', 'text/plain'],
  ],
  [['Content-Type', 'html']],
  [
    ['Link', '<a>; rel="x"'],
    ['Link', ['<b>', '<c>']],
  ],
  [
    ['X-One', ['a']],
    ['X-One', ['b']],
    ['X-One', 'c'],
  ],
  [[]],
];

const type: Calls[] = [
  ...TYPES,
  'x.tar.gz',
  'dir/file.png',
  'dir.d/file',
  '.',
  '..',
  '.htaccess',
  'html;q=1',
  'toString',
  '__proto__',
  'JSON',
  'file.JSON',
  ' html',
  'a/b; c',
].map((value) => [[value]]);

const vary: Calls[] = [
  [['Accept']],
  [['Accept'], ['accept']],
  [['Accept, Origin']],
  [['Accept'], [['Origin', 'ACCEPT', 'Cookie']]],
  [['*']],
  [['*'], ['Accept']],
  [['Accept'], ['*']],
  [['Accept, *']],
  [['']],
  [[' ']],
  [[',']],
  [['a b']],
  [['a:b']],
  [['é']],
  [[null]],
  [[undefined]],
  [[7]],
  [[]],
  [[[]]],
  [[['Accept', 7]]],
  [[{}]],
];

const links: Calls[] = [
  [[{ next: '/2' }]],
  [[{ next: '/2', prev: '/1' }]],
  [[{ next: ['/2', '/3'] }]],
  [[{ next: '/2' }], [{ last: '/9' }]],
  [[{}]],
  [[{}], [{ a: 'b' }]],
  [[{ next: 'http://h/<é>' }]],
  [[{ 'a b': 'c', '"': 'd' }]],
  [[{ next: undefined }]],
  [[{ next: null }]],
  [[{ next: [] }]],
  [[{ next: 7 }]],
  [[['a', 'b']]],
  [['text']],
  [[7]],
  [[null]],
  [[]],
];

const location: Calls[] = [
  '/a',
  '../b',
  'http://h/é?x=ü',
  'http://h/%zz',
  '/a b',
  '/"x"',
  '\\\\h',
  '//h',
  'http://user:pass@h',
  'http://[::1]/',
  'mailto:a@b',
  '',
  ' ',
  'back',
  '/\u2028',
  '/\ud800',
  '/a#b|c',
  'http://é.example/é',
  'a:b',
  '/%E9',
  '/[x]{y}^`',
  7,
  null,
  undefined,
  {},
  ['a'],
].map((value) => [[value]]);

const get: HandlerRow[] = [
  'X-One',
  'x-one',
  'X-List',
  'X-Number',
  'Content-Type',
  'absent',
  '',
  undefined,
  null,
  7,
  {},
].map((name, i): HandlerRow => [
  `${i}: ${inspect(name)}`,
  ({ res }) => {
    res.setHeader('X-One', '1').setHeader('X-List', ['a', 'b']).setHeader('X-Number', 7);
    res.type('html');
    let got: unknown;
    try {
      got = (res as Loose).get(name);
    } catch (error) {
      got = String(error);
    }
    res.end(inspect(got));
  },
]);

parities([
  table('set', set),
  table('header', set.slice(0, 12)),
  table('append', append),
  table('type', type),
  table('contentType', type.slice(0, 12)),
  table('vary', vary),
  table('links', links),
  table('location', location),
  handlers('res.get', get),
]);
