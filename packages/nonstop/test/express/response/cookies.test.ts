import type { Request, Response } from 'express';
import { eachAsExpress, request, type Case } from '../../support/beside-express.js';

/** Arguments without type checks, as any application may pass. */
interface Loose {
  cookie(...args: unknown[]): Response & Loose;
  clearCookie(...args: unknown[]): Response & Loose;
}

const uses: [string, (res: Response & Loose) => unknown][] = [
  ['a cookie', (res) => res.cookie('a', 'b')],
  ['several cookies', (res) => res.cookie('a', 1).cookie('b', true).cookie('c', null)],
  ['a value that must be encoded', (res) => res.cookie('a', 'é; b="c"')],
  ['an object', (res) => res.cookie('a', { b: [1] })],
  ['a value that is no text', (res) => res.cookie('a', undefined)],
  [
    'all attributes',
    (res) =>
      res.cookie('a', 'b', {
        domain: 'example.com',
        path: '/x',
        httpOnly: true,
        secure: true,
        sameSite: 'lax',
        priority: 'high',
        partitioned: true,
      }),
  ],
  ['a path that is null', (res) => res.cookie('a', 'b', { path: null })],
  ['a date', (res) => res.cookie('a', 'b', { expires: new Date(0) })],
  ['an age in milliseconds', (res) => res.cookie('a', 'b', { maxAge: 90_500 })],
  ['an age that is a text', (res) => res.cookie('a', 'b', { maxAge: '1000' })],
  ['an age that is null', (res) => res.cookie('a', 'b', { maxAge: null })],
  ['an age that is no number', (res) => res.cookie('a', 'b', { maxAge: 'soon' })],
  ['an age of none', (res) => res.cookie('a', 'b', { maxAge: 0 })],
  ['an encoder', (res) => res.cookie('a', 'é', { encode: () => 'own' })],
  ['an encoder that breaks it', (res) => res.cookie('a', 'b', { encode: () => 'a;b' })],
  ['a signature', (res) => res.cookie('a', 'b', { signed: true })],
  ['a signed object', (res) => res.cookie('a', { b: 1 }, { signed: true })],
  ['a bad name', (res) => res.cookie('a b', 'c')],
  ['a bad attribute', (res) => res.cookie('a', 'b', { sameSite: 'sometimes' })],
  ['no cookie any more', (res) => res.clearCookie('a')],
  ['no cookie any more on a path', (res) => res.clearCookie('a', { path: '/x', domain: 'example.com' })],
  ['no cookie any more, whatever its age', (res) => res.clearCookie('a', { maxAge: 1000, expires: new Date() })],
];

eachAsExpress([
  ...uses.map(([name, use]): Case => ({
    name: `cookie sets ${name}`,
    app: (app) => {
      app.use((req: Request & { secret?: string }, res) => {
        req.secret = 'a secret';
        use(res as Response & Loose);
        res.end();
      });
    },
    send: request('GET /'),
  })),
  {
    name: 'cookie throws for a signature without a secret',
    app: (app) => void app.use((_req, res) => void res.cookie('a', 'b', { signed: true })),
    send: request('GET /'),
    shows: /cookieParser/,
  },
  {
    name: 'cookie does not change the options of the application',
    app: (app, _kit, note) => {
      app.use((_req, res) => {
        const options = Object.freeze({ maxAge: 1000 });
        res.cookie('a', 'b', options);
        note(options);
        res.end();
      });
    },
    send: request('GET /'),
  },
]);
