import { handlers, parities, request, requests, type HandlerRow, type Next, type Program } from './stage.js';

/** An error whose stack does not depend on where it is created. */
function failure(message: string, members: object = {}): Error {
  const error = new Error(message);
  error.stack = `Error: ${message}\n    at somewhere (file.js:1:2)\n    at <b>elsewhere</b>`;
  return Object.assign(error, members);
}

const ERRORS: readonly (readonly [string, unknown])[] = [
  ['an error', failure('message')],
  ['HTML in its message', failure('<script>&"\'')],
  ['no message', failure('')],
  ['spaces and lines', failure('a  b\n   c\td')],
  ['a status', failure('m', { status: 404 })],
  ['a statusCode', failure('m', { statusCode: 422 })],
  ['both', failure('m', { status: 403, statusCode: 404 })],
  ['a status below 400', failure('m', { status: 302 })],
  ['a status above 599', failure('m', { status: 600 })],
  ['a status that is a text', failure('m', { status: '404' })],
  ['a status without a name', failure('m', { status: 499 })],
  ['a bad status and a good statusCode', failure('m', { status: 1, statusCode: 410 })],
  ['headers', failure('m', { status: 429, headers: { 'Retry-After': '7', 'X-One': ['a', 'b'] } })],
  ['headers of a bad status', failure('m', { status: 200, headers: { 'X-One': 'a' } })],
  ['headers that are nothing', failure('m', { status: 400, headers: null })],
  [
    'headers that set the type',
    failure('m', { status: 400, headers: { 'Content-Type': 'x/y', 'Content-Length': '3' } }),
  ],
  ['expose', failure('m', { status: 500, expose: true })],
  ['a name', failure('m', { name: 'OwnError' })],
  ['no stack', failure('m', { stack: undefined })],
  ['a stack that is no text', failure('m', { stack: 7 })],
  ['a code', failure('m', { code: 'ENOENT', status: 404 })],
  ['a text', 'just <text>'],
  ['an empty object', {}],
  ['an object of a status', { status: 418, message: 'tea' }],
  ['a number', 404],
  ['true', true],
  ['an array', ['a', 'b']],
  ['a symbol-free object with toString', { toString: () => 'made' }],
  ['an object without prototype', Object.assign(Object.create(null) as object, { status: 410 })],
];

const BEFORE: readonly (readonly [
  string,
  (res: { set(name: string, value: string): unknown; statusCode: number; statusMessage: string }) => unknown,
])[] = [
  ['nothing before', () => undefined],
  ['fields before', (res) => (res.set('X-Before', '1'), res.set('ETag', '"1"'), res.set('Content-Encoding', 'x'))],
  ['a status before', (res) => (res.statusCode = 409)],
  ['a bad status and a message before', (res) => ((res.statusCode = 302), (res.statusMessage = 'Mine'))],
];

const METHODS = ['GET', 'HEAD', 'POST'];

/** The frameworks' own error pages, in each environment: with the stack, or with the status only. */
const pages = ['production', 'development', 'test', undefined].flatMap((env) =>
  BEFORE.map(([state, before]): Program => {
    const rows = ERRORS.flatMap(([name, error]) =>
      // HEAD and POST test the framing; the errors are tested with GET.
      METHODS.slice(0, name === 'an error' || name === 'headers' ? 3 : 1).map((method): HandlerRow => [
        `${method}: ${name}`,
        ({ res, next }) => {
          before(res as never);
          next(error);
        },
        request(`${method} /`),
      ]),
    );
    return { ...handlers(`the error page in ${env}, ${state}`, rows, (app) => void app.set('env', env)), pages: true };
  }),
);

const NOT_FOUND = [
  '/',
  '/a/b?c',
  '/<script>',
  '/%3Cscript%3E',
  '/"\'&',
  '/%zz',
  '/a%0Ab',
  '//host/x',
  '/é'.replace('é', '\xe9'),
  'http://h.example/x?<y>',
  '*',
  `/${'long'.repeat(100)}`,
  '/?<b>',
  '/a b'.replace(' ', '%20'),
  '/\\',
  '/`{}|^',
];

const missing = ['production', 'development'].map((env): Program => ({
  name: `the page for 404, in ${env}`,
  pages: true,
  app: (app, make) => {
    app.set('env', env);
    const router = make.Router();
    router.use((req, _res, next) => {
      req.url = '/rewritten<';
      next();
    });
    app.use('/a', router);
    app.use('/later', (_req, res, next) => {
      res.status(410).set('X-One', '1');
      setImmediate(next);
    });
  },
  rows: ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS'].flatMap((method) =>
    requests([...NOT_FOUND, '/later', '/later/x'].map((path) => [`${method} ${path}`] as const)),
  ),
}));

const late: HandlerRow[] = [
  [
    'an error after the head',
    ({ res, next }) => {
      res.write('begun');
      next(failure('late'));
    },
  ],
  [
    'an error after the end',
    ({ res, next }) => {
      res.end('done');
      setImmediate(next, failure('late'));
    },
  ],
  [
    'nothing after the end',
    ({ res, next }) => {
      res.end('done');
      setImmediate(next);
    },
  ],
  [
    'a throw after the end',
    ({ res }) => {
      res.send('done');
      throw failure('late');
    },
  ],
  ['an error with a body unread', ({ next }) => next(failure('unread')), request('POST /', {}, 'x'.repeat(100))],
  [
    'next twice',
    ({ res, next }) => {
      res.end('done');
      next();
      next();
    },
  ],
];

const LOGGED: readonly (readonly [string, (next: Next) => unknown])[] = [
  ['an error', (next) => next(failure('logged'))],
  ['a text', (next) => next('logged')],
  ['a status', (next) => next(failure('logged', { status: 404 }))],
];

parities([
  ...pages,
  ...missing,
  { ...handlers('errors when it is too late', late), pages: true },
  {
    name: 'the error page of an application that inherits from another, which has served one',
    pages: true,
    app: (app) => {
      const heir = Object.setPrototypeOf(() => undefined, app) as typeof app;
      heir.settings = Object.create(app.settings as object) as object;
      heir.set('env', 'development');
      app.use('/heir', (req, res) => (heir as unknown as { handle(...args: unknown[]): void }).handle(req, res));
      app.use('/fails', (_req, _res, next) => next(failure('message')));
    },
    rows: requests([['GET /fails'], ['GET /heir/fails'], ['GET /none'], ['GET /heir/none']]),
  },
  ...['production', 'test'].map((env): Program => ({
    ...handlers(
      `what is logged in ${env}`,
      LOGGED.map(([name, act]): HandlerRow => [name, ({ next }) => act(next)]),
      (app) => void app.set('env', env),
    ),
    pages: true,
  })),
]);
