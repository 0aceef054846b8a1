import type { Response } from 'express';
import { eachAsExpress, request, type Case, type Note } from '../../support/beside-express.js';

type Patch = (res: Response, note: Note) => void;

/** Wraps a method and notes its arguments; distinguishes text and bytes, as a wrapper must. */
const watching =
  (method: 'end' | 'setHeader' | 'send' | 'json' | 'set' | 'get' | 'type' | 'status'): Patch =>
  (res, note) => {
    const own = res[method] as (...args: unknown[]) => unknown;
    Object.assign(res, {
      [method](this: Response, ...args: unknown[]) {
        const seen = args.map((value) => (Buffer.isBuffer(value) ? `bytes ${value.toString()}` : value));
        // Express passes an explicit undefined as the encoding of bytes; it counts as an argument.
        note([method, ...seen.filter((value) => value !== undefined)]);
        return own.apply(this, args);
      },
    });
  };

const answers: [string, (res: Response) => unknown][] = [
  ['a text', (res) => res.send('text')],
  ['an object', (res) => res.json({ a: 1 })],
  ['a status', (res) => res.sendStatus(418)],
];

const observed = (['end', 'send', 'json', 'set', 'get', 'type', 'status'] as const).flatMap((method) =>
  answers.map(([name, answer]): Case => ({
    name: `a wrapped ${method} sees what Express gives it for ${name}`,
    app: (app, _kit, note) => {
      app.use((_req, res, next) => {
        watching(method)(res, note);
        next();
      });
      app.use((_req, res) => void answer(res));
    },
    send: request('GET /'),
  })),
);

eachAsExpress([
  ...observed,
  {
    name: 'a replaced setHeader that changes values is used',
    app: (app) => {
      app.use((_req, res) => {
        const own = res.setHeader;
        res.setHeader = function (name, value) {
          return own.call(this, `X-${name}`, value);
        };
        res.send('text');
      });
    },
    send: request('GET /'),
    shows: /X-ETag/,
  },
  {
    name: 'a writeHead that adds fields is called by the end of send',
    app: (app) => {
      app.use((_req, res) => {
        const own = res.writeHead as (...args: unknown[]) => Response;
        res.writeHead = function (this: Response, ...args: unknown[]) {
          this.setHeader('X-Late', '1');
          return own.apply(this, args);
        } as Response['writeHead'];
        res.send('text');
      });
    },
    send: request('GET /'),
    shows: /X-Late/,
  },
  {
    name: 'a replaced fresh decides on 304',
    app: (app) => {
      app.use((req, res) => {
        Object.defineProperty(req, 'fresh', { value: true });
        res.send('text');
      });
    },
    send: request('GET /'),
    shows: /304/,
  },
  {
    name: 'a replaced cookie gets from clearCookie what it gets in Express',
    app: (app, _kit, note) => {
      app.use((_req, res) => {
        res.cookie = function (this: Response, ...args: unknown[]) {
          note(args);
          return this;
        } as Response['cookie'];
        res.clearCookie('a').clearCookie('b', { path: '/b', domain: 'example.com' }).end();
      });
    },
    send: request('GET /'),
    shows: /example/,
  },
  {
    name: 'a method replaced for all responses of an application is used by the other methods',
    app: (app, _kit, note) => {
      app.response.json = function (value: unknown) {
        note('replaced');
        return this.send(`json of ${String(value)}`);
      };
      app.use((_req, res) => void res.send({}));
    },
    send: request('GET /'),
    shows: /replaced/,
  },
]);
