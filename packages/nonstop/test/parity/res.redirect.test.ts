import { handlers, parities, request, type HandlerRow } from './stage.js';

const LOCATIONS: unknown[] = [
  '/',
  '/a?b=c',
  '..',
  './x',
  '',
  'http://h.example/é?q=ü#f',
  '/%zz',
  '/<script>',
  '/"&\'',
  '//h',
  '\\\\h',
  '/a b',
  'back',
  'javascript:alert(1)',
  '/\u2028',
  '/日本',
  'http://[::1]:80/',
  '/x'.repeat(500),
  7,
  null,
  undefined,
  {},
  ['/a'],
];
const STATUSES: unknown[] = [
  300,
  301,
  302,
  303,
  304,
  305,
  307,
  308,
  200,
  204,
  205,
  404,
  500,
  399,
  600,
  99,
  1000,
  0,
  '301',
  null,
  undefined,
  301.5,
  NaN,
];
const ACCEPTS = [undefined, '*/*', 'text/html', 'text/plain', 'application/json', 'text/html;q=0.5, text/plain', ''];

const named = (name: string, value: unknown): string =>
  `${name} ${typeof value} ${String(JSON.stringify(value)).slice(0, 60)}`;

parities([
  ...ACCEPTS.slice(0, 4).map((Accept) =>
    handlers(
      `res.redirect to a place, for Accept ${Accept}`,
      LOCATIONS.map((location): HandlerRow => [
        named('to', location),
        ({ res }) => res.redirect(location as string),
        request('GET /', { Accept }),
      ]),
    ),
  ),
  handlers(
    'res.redirect with a status',
    STATUSES.flatMap((status) =>
      ACCEPTS.map((Accept): HandlerRow => [
        `${named('status', status)} ${String(status)} for ${Accept}`,
        ({ res }) => res.redirect(status as number, '/there'),
        request('GET /', { Accept }),
      ]),
    ),
  ),
  handlers('res.redirect and the request', [
    ['HEAD', ({ res }) => res.redirect('/a'), request('HEAD /')],
    ...['HEAD', 'GET'].map((method): HandlerRow => [
      `${method}, where the program has wrapped end`,
      ({ res, note }) => {
        const { end } = res;
        res.end = (...args: unknown[]) => {
          note(args);
          return Reflect.apply(end, res, args) as typeof res;
        };
        res.redirect('/a');
      },
      request(`${method} /`),
    ]),
    ['POST', ({ res }) => res.redirect(303, '/a'), request('POST /', {}, 'body')],
    ['a referrer means nothing', ({ res }) => res.redirect('back'), request('GET /', { Referer: 'http://r/' })],
    ['a location set before', ({ res }) => res.location('/first').redirect('/second')],
    ['a type set before', ({ res }) => res.type('json').redirect('/a')],
    ['a status set before', ({ res }) => res.status(404).redirect('/a')],
    ['Vary set before', ({ res }) => res.vary('Origin').redirect('/a')],
    ['arguments the other way round', ({ res }) => (res.redirect as (...args: unknown[]) => unknown)('/a', 301)],
    ['no argument', ({ res }) => (res.redirect as (...args: unknown[]) => unknown)()],
    ['a tag that matches anything', ({ res }) => res.redirect('/a'), request('GET /', { 'If-None-Match': '*' })],
    [
      'a status without a text',
      ({ res }) => (res.redirect as (...args: unknown[]) => unknown)(Object.create(null), '/a'),
    ],
    ['below a mount path', ({ res }) => res.redirect('a'), request('GET /m/n')],
    [
      'a format of the program that calls nothing',
      ({ res }) => {
        Object.assign(res, { format: () => res });
        res.redirect('/a');
      },
    ],
  ]),
]);
