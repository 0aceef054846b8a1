import type { Response } from 'express';
import { eachAsExpress, request, type Case } from '../../support/beside-express.js';

const formats: [string, (res: Response) => Record<string, () => unknown>][] = [
  [
    'types',
    (res) => ({
      'text/plain': () => res.send('plain'),
      'text/html; level=1': () => res.send('<p>html'),
      'application/json': () => res.send({ a: 1 }),
    }),
  ],
  [
    'extensions',
    (res) => ({ text: () => res.send('plain'), html: () => res.send('<p>html'), json: () => res.send({}) }),
  ],
  ['a default', (res) => ({ text: () => res.send('plain'), default: () => res.send('default') })],
  ['nothing but a default', (res) => ({ default: () => res.send('default') })],
  ['nothing', () => ({})],
];

const accepts = [undefined, '*/*', 'text/html', 'application/json;q=.5, text/*;q=.1', 'image/png', 'text/html;q=0', ''];

eachAsExpress(
  formats.flatMap(([name, handlers]) =>
    accepts.map((Accept): Case => ({
      name: `format chooses from ${name} for Accept ${String(Accept)}`,
      app: (app) => {
        app.use((_req, res) => {
          res.set('Vary', 'Origin');
          res.format(handlers(res));
        });
      },
      send: request('GET /', { Accept }),
    })),
  ),
);
