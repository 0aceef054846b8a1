import { handlers, parities, request, type HandlerRow, type Program, type Turn } from './stage.js';

type Formats = (turn: Turn) => unknown;

const FORMATS: readonly (readonly [string, Formats])[] = [
  [
    'types',
    ({ res }) => ({
      'text/plain': () => res.send('plain'),
      'text/html': () => res.send('html'),
      'application/json': () => res.send({ a: 1 }),
    }),
  ],
  [
    'extensions',
    ({ res }) => ({
      txt: () => res.send('plain'),
      html: () => res.send('html'),
      json: () => res.json([1]),
      png: () => res.send(Buffer.from('png')),
    }),
  ],
  ['a default among others', ({ res }) => ({ default: () => res.send('default'), json: () => res.send({}) })],
  ['parameters', ({ res }) => ({ 'text/html;level=1': () => res.send('one'), 'text/html': () => res.send('any') })],
  ['an unknown extension', ({ res }) => ({ odd: () => res.send('odd'), html: () => res.send('html') })],
  ['a default that is no function', () => ({ default: 'text' })],
  ['what is no function', () => ({ html: 'text' })],
  ['nothing', () => ({})],
  ['no object', () => undefined],
  [
    'handlers that take arguments',
    ({ res }) => ({
      html: (...args: unknown[]) =>
        res.send(`${args.length} ${args[0] === res.req} ${args[1] === res} ${typeof args[2]}`),
      default: (...args: unknown[]) => res.send(`default ${args.length} ${typeof args[2]}`),
    }),
  ],
  [
    'a handler that throws',
    () => ({
      html: () => {
        throw new Error('in format');
      },
    }),
  ],
  [
    'parameters of every kind',
    ({ res }) => ({
      'text/html ; level=1;q=0.5; charset="x;y"': () => res.send('one'),
      ' text/plain': () => res.send('plain'),
      'application/json;': () => res.send('json'),
      'image/png;a': () => res.send('png'),
    }),
  ],
  ['wildcards', ({ res }) => ({ 'text/*': () => res.send('text'), '*/*': () => res.send('any') })],
];

const ACCEPTS = [
  undefined,
  '',
  '*/*',
  'text/*',
  'text/html',
  'text/html;level=1',
  'application/json',
  'application/json;q=0.1, text/plain',
  'text/html;q=0, */*;q=0.5',
  'image/png',
  'image/*',
  'odd',
  'text/html; charset=utf-8',
  'TEXT/HTML',
  'audio/x',
];

parities(
  FORMATS.map(([name, formats]): Program =>
    handlers(
      `res.format of ${name}`,
      ACCEPTS.map((Accept): HandlerRow => [
        `Accept ${Accept}`,
        (turn) => {
          turn.res.set('X-Asked', String(Accept));
          const given = turn.res['format'](formats(turn));
          turn.note(given === (turn.res as unknown));
        },
        request('GET /', { Accept }),
      ]),
    ),
  ),
);
