import { asking, parities, requests, type Program } from './stage.js';

const PARSERS: readonly (readonly [string, unknown])[] = [
  ['by default', undefined],
  ['simple', 'simple'],
  ['true', true],
  ['extended', 'extended'],
  ['false', false],
  ['a function', (text: string) => ({ given: text, is: typeof text })],
  ['a function that gives nothing', () => undefined],
];

const QUERIES = [
  '',
  '?',
  '?a=1',
  '?a=1&a=2&a=3',
  '?a',
  '?a=',
  '?=a',
  '?&&a=1&&',
  '?a=1=2',
  '?a=%20b+c',
  '?a=%zz&b=%',
  '?%61=%C3%A9',
  '?a=%ff%fe',
  '?a[]=1&a[]=2',
  '?a[b]=1&a[c]=2',
  '?a[b][c][d]=1',
  '?a[0]=x&a[2]=y&a[1]=z',
  '?a[21]=x&a[0]=y',
  '?a[b]=1&a=2',
  '?a.b=1',
  '?a[b=1',
  '?[a]=1',
  '?a[b][c][d][e][f][g][h]=1',
  '?__proto__=1&constructor=2&hasOwnProperty=3',
  '?__proto__[x]=1&a[__proto__][y]=2&a[toString]=3',
  '?a;b=1',
  '?a=1?b=2',
  '?a=1#frag&b=2',
  '?a=1&A=2',
  '?1=a&0=b',
  '?a=b%26c%3Dd',
  `?${'x=1&'.repeat(1100)}y=2`,
  `?${'a[]=1&'.repeat(30)}`,
];

/** Read twice, because each read parses the query again; and once after a write. */
const parsers = PARSERS.map(([name, value]): Program =>
  asking(
    `req.query, parsed ${name}`,
    (req) => {
      const first = req.query;
      const isSame = first === req.query;
      return [
        req.url.length,
        req.query,
        isSame,
        req.query !== undefined && Object.getPrototypeOf(req.query) === null,
        Object.keys(req.query ?? {}),
      ];
    },
    {
      setup: (app) => {
        if (value !== undefined) app.set('query parser', value);
      },
      rows: requests(QUERIES.map((query) => [`GET /path${query}`] as const)),
    },
  ),
);

const attempt = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return String(error);
  }
};

parities([
  ...parsers,
  asking(
    'req.query, written to',
    (req) => [
      attempt(() => Object.assign(req, { query: { mine: 1 } })) === req,
      // With the name of node's class in the message, which is another one over HTTP/2.
      String(attempt(() => Object.assign(req, { query: { mine: 2 } }))).replace(
        'Http2ServerRequest',
        'IncomingMessage',
      ),
      req.query,
      attempt(() => Object.defineProperty(req, 'query', { value: 'mine', configurable: true })) === req,
      req.query,
    ],
    { rows: requests([['GET /?a=1'], ['GET /'], ['POST /?b=2']]) },
  ),
  asking(
    'req.query, after the url is rewritten',
    (req) => {
      const before = req.query;
      const urls = ['/x?b=2', '/y', '?c=3', '', 'http://h/z?d=4', '/#?e=5'];
      return [before, ...urls.map((url) => ((req.url = url), [req.query, req.path]))];
    },
    { rows: requests([['GET /?a=1'], ['GET /'], ['GET http://h/p?q=1']]) },
  ),
]);
