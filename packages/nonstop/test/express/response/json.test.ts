import type { Response } from 'express';
import { eachAsExpress, request, type Build, type Case } from '../../support/beside-express.js';

const answering =
  (answer: (res: Response) => unknown, settings: Record<string, unknown> = {}): Build =>
  (app) => {
    for (const [name, value] of Object.entries(settings)) app.set(name, value);
    app.use((_req, res) => void answer(res));
  };

const values: [string, unknown][] = [
  ['an object', { a: 1, b: ['x', null], c: undefined }],
  ['an array', ['a', 1]],
  ['a text', 'text \u2028 & more'],
  ['a number', 300],
  ['null', null],
  ['nothing', undefined],
  ['a function', () => 1],
  ['a date', new Date(0)],
  ['an object with toJSON', { toJSON: () => 'itself' }],
];

const settings: [string, Record<string, unknown>][] = [
  ['plainly', {}],
  ['indented', { 'json spaces': 2 }],
  ['replaced', { 'json replacer': (key: string, value: unknown) => (key[0] === 'b' ? undefined : value) }],
  ['escaped', { 'json escape': true }],
];

const callbacks = ['cb', 'a.b[0].$c', 'alert(1);x', '', '<script>', 'x&callback=y'];

eachAsExpress([
  ...values.flatMap(([name, value]) =>
    settings.map(([how, set]): Case => ({
      name: `json answers with ${name}, ${how}`,
      app: answering((res) => res.json(value), set),
      send: request('GET /'),
    })),
  ),
  {
    name: 'json escapes characters of HTML',
    app: answering((res) => res.json({ '&': '<script>' }), { 'json escape': true }),
    send: request('GET /'),
  },
  {
    name: 'json keeps a type that is set',
    app: answering((res) => res.type('application/vnd.api+json').json({})),
    send: request('GET /'),
  },
  { name: 'json keeps a status', app: answering((res) => res.status(201).json({})), send: request('GET /') },
  {
    name: 'json throws for a cycle',
    app: answering((res) => {
      const a: Record<string, unknown> = {};
      a.a = a;
      return res.json(a);
    }),
    send: request('GET /'),
    shows: /circular/,
  },
  {
    name: 'json throws for a bigint',
    app: answering((res) => res.json({ a: 1n })),
    send: request('GET /'),
    shows: /BigInt/,
  },
  ...values.map(([name, value]): Case => ({
    name: `jsonp answers a callback with ${name}`,
    app: answering((res) => res.jsonp(value)),
    send: request('GET /?callback=something'),
  })),
  ...callbacks.map((callback): Case => ({
    name: `jsonp reads the callback ${JSON.stringify(callback)}`,
    app: answering((res) => res.jsonp({ a: '\u2028\u2029' })),
    send: request(`GET /?callback=${encodeURI(callback)}`),
  })),
  { name: 'jsonp without a callback is JSON', app: answering((res) => res.jsonp({ a: 1 })), send: request('GET /') },
  {
    name: 'jsonp keeps a type that is set when there is no callback',
    app: answering((res) => res.type('text/plain').jsonp({})),
    send: request('GET /'),
  },
  {
    name: 'jsonp reads the callback from the query parameter of the setting',
    app: answering((res) => res.jsonp({}), { 'jsonp callback name': 'fn' }),
    send: request('GET /?fn=f&callback=g'),
  },
]);
