import assert = require('node:assert/strict');
import { test } from 'node:test';
import type { Response } from 'express';
import { eachAsExpress, request, type Case } from '../../support/beside-express.js';

const uses: [string, (res: Response) => unknown][] = [
  ['a path', (res) => res.redirect('/there')],
  ['a URL', (res) => res.redirect('https://example.com/a?b=c&d=<e>')],
  ['a relative path', (res) => res.redirect('../up')],
  ['"back", which means nothing any more', (res) => res.redirect('back')],
  ['what a URL may not hold', (res) => res.redirect('/é "quoted" %20 %zz')],
  ['a host that looks like a path', (res) => res.redirect('\\\\example.com')],
  ['a status', (res) => res.redirect(301, '/there')],
  ['a status without a reason', (res) => res.redirect(399, '/there')],
  ['a status that is none', (res) => res.redirect(7, '/there')],
  ['a status that is a text', (res) => res.redirect('307' as unknown as number, '/there')],
  ['nothing', (res) => res.redirect(undefined as unknown as string)],
  ['an empty text', (res) => res.redirect('')],
  ['an object', (res) => res.redirect(new URL('http://example.com') as unknown as string)],
];

const accepts = [undefined, 'text/html', 'text/plain', 'application/json'];

eachAsExpress([
  ...uses.flatMap(([name, use]) =>
    accepts.map((Accept): Case => ({
      name: `redirect to ${name} for Accept ${String(Accept)}`,
      app: (app, _kit, note) => {
        app.use((_req, res) => {
          const warned = (warning: Error & { namespace?: string }): unknown =>
            note([warning.namespace, warning.message]);
          process.on('deprecation', warned);
          try {
            use(res);
          } finally {
            process.off('deprecation', warned);
          }
        });
      },
      send: request('GET /', { Accept }),
    })),
  ),
  {
    name: 'redirect answers HEAD without a body',
    app: (app) => void app.use((_req, res) => res.redirect('/a')),
    send: request('HEAD /'),
  },
  {
    name: 'location sets only the field',
    app: (app) => void app.use((_req, res) => void res.location('/é').end()),
    send: request('GET /'),
  },
]);

test('a deprecated redirect is reported at the line of the application', async () => {
  const { response } = await import('../../../src/express/response/index.js');
  const places: string[] = [];
  const warned = (warning: Error): unknown => places.push(warning.stack ?? '');
  process.on('deprecation', warned);
  try {
    const res = Object.create(response) as Response;
    const quiet = (): Response => res;
    Object.assign(res, {
      location: quiet,
      get: () => '',
      format: (bodies: { default(): void }) => {
        bodies.default();
        return res;
      },
      set: quiet,
      end: quiet,
      req: { method: 'GET' },
    });
    res.redirect('');
  } finally {
    process.off('deprecation', warned);
  }
  assert.equal(places.length, 1);
  assert.match(places[0].split('\n')[1], /redirect\.test/);
});
