import { inspect } from 'node:util';
import { handlers, parities, request, type HandlerRow, type Loose, type Program } from './stage.js';

const attempt = (res: Loose & { end(text: string): unknown }, act: () => unknown): void => {
  let said = 'set';
  try {
    said = act() === res ? 'itself' : 'something else';
  } catch (error) {
    said = String(error);
  }
  res.end(said);
};

const NAMES: unknown[] = [
  'a',
  'a-b_c.d',
  '__Host-a',
  '',
  ' ',
  'a b',
  'a=b',
  'a;b',
  'é',
  'a,b',
  '"a"',
  'a\n',
  null,
  undefined,
  7,
  {},
];
const VALUES: unknown[] = [
  'v',
  '',
  'a b',
  'é日',
  '%20',
  'a=b&c',
  '"quoted"',
  'a;b,c',
  '\n',
  '\0',
  7,
  true,
  null,
  undefined,
  NaN,
  {},
  { a: { b: 1 } },
  [1, 'x'],
  new Date(0),
  Buffer.from('x'),
  '\ud800',
  'j:x',
  's:x',
];
const OPTIONS: unknown[] = [
  undefined,
  null,
  {},
  { path: '/x' },
  { path: '' },
  { path: 'a;b' },
  { domain: 'example.com' },
  { domain: '.example.com' },
  { domain: 'é' },
  { domain: '' },
  { httpOnly: true, secure: true },
  { httpOnly: 1, secure: 'yes' },
  { sameSite: true },
  { sameSite: false },
  { sameSite: 'strict' },
  { sameSite: 'LAX' },
  { sameSite: 'none', secure: true },
  { sameSite: 'odd' },
  { priority: 'low' },
  { priority: 'Medium' },
  { priority: 'odd' },
  { priority: 7 },
  { partitioned: true },
  { partitioned: false },
  { maxAge: 1000 },
  { maxAge: 1999 },
  { maxAge: -1000 },
  { maxAge: '5000' },
  { maxAge: Infinity },
  { maxAge: NaN },
  { maxAge: 'x' },
  { maxAge: undefined },
  { maxAge: 10n },
  { maxAge: Object(10n) as object },
  { maxAge: { valueOf: () => 10n } },
  { maxAge: Symbol('age') },
  { maxAge: new Date(5000) },
  { maxAge: [7000] },
  { maxAge: true },
  { maxAge: '0x10' },
  { expires: new Date(1e12) },
  { expires: new Date(NaN) },
  { expires: 'tomorrow' },
  { expires: new Date(1e12), maxAge: 0 },
  { encode: (text: string) => text },
  { encode: encodeURI },
  { encode: 'none' },
  { encode: () => 7 },
  { signed: true },
  { signed: false },
  { secret: 'x', signed: true },
  Object.create({ httpOnly: true }),
];

const table = (name: string, method: string, list: readonly (readonly unknown[])[], secret?: unknown): Program =>
  handlers(
    name,
    list.map((args, i): HandlerRow => [
      `${i}: ${inspect(args, { breakLength: Infinity, depth: 3 })}`,
      ({ req, res }) => {
        if (secret !== undefined) Object.assign(req, { secret });
        attempt(res, () => res[method](...args));
      },
    ]),
  );

parities([
  table(
    'res.cookie, names',
    'cookie',
    NAMES.map((name) => [name, 'v']),
  ),
  table(
    'res.cookie, values',
    'cookie',
    VALUES.map((value) => ['a', value]),
  ),
  table(
    'res.cookie, signed values',
    'cookie',
    VALUES.map((value) => ['a', value, { signed: true }]),
    'secret',
  ),
  table(
    'res.cookie, options',
    'cookie',
    OPTIONS.map((options) => ['a', 'v', options]),
    'secret',
  ),
  table(
    'res.clearCookie, options',
    'clearCookie',
    OPTIONS.map((options) => ['a', options]),
    'secret',
  ),
  table(
    'res.clearCookie, names',
    'clearCookie',
    NAMES.map((name) => [name]),
  ),
  table('res.cookie, secrets', 'cookie', [['a', 'v', { signed: true }]], ['first', 'second']),
  handlers('res.cookie, several', [
    ['the same name twice', ({ res }) => res.cookie('a', 1).cookie('a', 2).send('x')],
    ['set and cleared', ({ res }) => res.cookie('a', 1).clearCookie('a').send('x')],
    [
      'beside Set-Cookie',
      ({ res }) => res.set('Set-Cookie', 'x=y').cookie('a', 1).append('Set-Cookie', 'z=1').send('x'),
    ],
    ['Set-Cookie after', ({ res }) => res.cookie('a', 1).set('Set-Cookie', 'x=y').send('x')],
    ['to HEAD', ({ res }) => res.cookie('a', 1).send('x'), request('HEAD /')],
    ['on a redirect', ({ res }) => res.cookie('a', 1).redirect('/')],
    [
      'get of cookies',
      ({ res }) =>
        res
          .cookie('a', 1)
          .cookie('b', 2)
          .send(inspect(res.get('Set-Cookie'))),
    ],
    [
      'options are kept',
      ({ res, note }) => {
        const options = { maxAge: 5, path: '/p' };
        res.cookie('a', 1, options).clearCookie('b', options);
        note(options);
        res.end();
      },
    ],
  ]),
]);
