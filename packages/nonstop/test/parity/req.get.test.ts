import { asking, parities, requests } from './stage.js';

const NAMES: unknown[] = [
  'host',
  'Host',
  'X-One',
  'x-one',
  'Referer',
  'referrer',
  'REFERRER',
  'Cookie',
  'Set-Cookie',
  'Accept',
  '__proto__',
  'constructor',
  'absent',
  '',
  undefined,
  null,
  7,
  ['host'],
  {},
];

const attempt = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return String(error);
  }
};

const FIELDS: readonly (readonly [string, Record<string, string | undefined>])[] = [
  ['GET /', {}],
  ['GET /', { 'X-One': '1', 'x-one': '2' }],
  ['GET /', { 'X-One': '' }],
  ['GET /', { Referer: 'http://a/' }],
  ['GET /', { Referrer: 'http://b/' }],
  ['GET /', { Referer: 'http://a/', Referrer: 'http://b/' }],
  ['GET /', { Referer: '', Referrer: 'http://b/' }],
  ['GET /', { Cookie: 'a=1', cookie: 'b=2' }],
  ['GET /', { 'Set-Cookie': 'a=1', 'set-cookie': 'b=2' }],
  ['GET /', { Accept: 'a/b', accept: 'c/d' }],
  ['GET /', { 'Content-Type': 'a/b', 'content-type': 'c/d' }],
  ['GET /', { 'X-One': '\xe9\xff' }],
  ['GET /', { 'X-One': '  padded  ' }],
  ['GET /', { __proto__x: '1', constructor: '2' }],
  ['GET /', { Host: 'one.example', host: undefined }],
  ['GET /', { 'User-Agent': 'a', 'user-agent': 'b' }],
];

const X_REQUESTED_WITH = [
  undefined,
  'XMLHttpRequest',
  'xmlhttprequest',
  'XMLHTTPREQUEST',
  ' XMLHttpRequest ',
  'fetch',
  '',
];

parities([
  asking('req.get', (req) => NAMES.map((name) => attempt(() => req.get(name as string))), { rows: requests(FIELDS) }),
  asking('req.get of a name that is too long for a RegExp', (req) => attempt(() => req.get('x'.repeat(70_000))), {
    rows: requests([['GET /', { Referer: 'http://a/' }]]),
  }),
  asking('req.header', (req) => [req.header === req.get, req.header('X-One'), Object.keys(req.headers)], {
    rows: requests(FIELDS.slice(0, 8)),
  }),
  asking('req.xhr', (req) => req.xhr, {
    rows: requests(X_REQUESTED_WITH.map((value) => ['GET /', { 'X-Requested-With': value }] as const)).map(
      (row, i) => ({
        ...row,
        name: `${i}: ${row.name}`,
      }),
    ),
  }),
]);
