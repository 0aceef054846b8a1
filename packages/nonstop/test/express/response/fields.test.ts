import type { Response } from 'express';
import { eachAsExpress, request, type Case } from '../../support/beside-express.js';

/** Arguments without type checks, as any application may pass. */
interface Loose extends Pick<Response, 'header' | 'contentType'> {
  set(...args: unknown[]): Loose;
  append(...args: unknown[]): Loose;
  type(...args: unknown[]): Loose;
  vary(...args: unknown[]): Loose;
  links(...args: unknown[]): Loose;
}

const uses: [string, (res: Loose) => unknown][] = [
  ['set sets a field', (res) => res.set('X-One', '1')],
  [
    'set makes texts of values',
    (res) => res.set('X-One', 1).set('X-Two', true).set('X-Three', undefined).set('X-Four', null),
  ],
  ['set takes several values', (res) => res.set('X-One', ['a', 2])],
  ['set takes an object', (res) => res.set({ 'X-One': '1', 'content-type': 'html', 'X-Two': ['a', 'b'] })],
  ['set adds the charset of a type', (res) => res.set('Content-Type', 'text/css')],
  ['set leaves a type without charset alone', (res) => res.set('Content-Type', 'image/svg')],
  ['set expands an extension', (res) => res.set('Content-Type', 'html')],
  ['set sends an unknown extension as false', (res) => res.set('Content-Type', 'nobody-knows')],
  ['set refuses several types', (res) => res.set('Content-Type', ['text/html'])],
  ['set refuses a name that is no token', (res) => res.set('X One', '1')],
  ['set refuses a value of two lines', (res) => res.set('X-One', 'a\r\nX-Two: b')],
  ['set refuses a name that is no text', (res) => res.set(7, '1')],
  ['set with one text sets a field for each character', (res) => res.set('ab')],
  ['header is set', (res) => res.header('X-One', '1')],
  ['append adds to nothing', (res) => res.append('X-One', 'a')],
  ['append adds to a value', (res) => res.append('X-One', 'a').append('X-One', 'b')],
  ['append adds several to a value', (res) => res.append('X-One', 'a').append('X-One', ['b', 'c'])],
  ['append adds to several', (res) => res.append('X-One', ['a', 'b']).append('X-One', 'c').append('X-One', ['d'])],
  ['append adds to a number', (res) => res.append('X-One', 1).append('X-One', 2)],
  ['append adds cookies', (res) => res.append('Set-Cookie', 'a=1').append('Set-Cookie', 'b=2')],
  ['append starts over after a set', (res) => res.append('X-One', 'a').set('X-One', 'b').append('X-One', 'c')],
  ['type takes an extension', (res) => res.type('.png')],
  ['type takes a type', (res) => res.type('application/x-mine')],
  ['type takes a file name', (res) => res.type('notes.md')],
  ['type falls back to bytes', (res) => res.type('nobody-knows')],
  ['type refuses what has no text', (res) => res.type(undefined)],
  ['contentType is type', (res) => res.contentType('json')],
  ['vary adds a field', (res) => res.vary('Accept')],
  ['vary adds what is new, in any case', (res) => res.vary('Accept').vary(['accept', 'Origin']).vary('Origin, Cookie')],
  ['vary of everything stays', (res) => res.vary('*').vary('Accept')],
  ['vary refuses nothing', (res) => res.vary()],
  ['vary refuses what is no token', (res) => res.vary('a b')],
  ['links sets links', (res) => res.links({ next: '/2', last: '/9' })],
  ['links adds to links', (res) => res.links({ next: '/2' }).links({ pages: ['/1', '/3'] })],
];

eachAsExpress([
  ...uses.map(([name, use]): Case => ({
    name,
    app: (app) => {
      app.use((_req, res) => {
        use(res);
        res.end();
      });
    },
    send: request('GET /'),
  })),
  {
    name: 'get returns a field as it is stored',
    app: (app, _kit, note) => {
      app.use((_req, res) => {
        res.setHeader('X-One', 1);
        note([res.get('x-one'), res.get('X-Two'), res.set('X-Three', ['a']).get('X-Three')]);
        res.end();
      });
    },
    send: request('GET /'),
  },
]);
