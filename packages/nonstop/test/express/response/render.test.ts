import type { Response } from 'express';
import { eachAsExpress, request, type Build, type Case, type Note } from '../../support/beside-express.js';
import { folder } from '../../support/folder.js';

const views = folder({ 'page.tpl': 'page', 'broken.tpl': 'broken' });

type Engine = (path: string, options: object, done: (error: Error | null, text?: string) => void) => void;

/** An engine that outputs its arguments. */
const engine: Engine = (path, options, done) => {
  const { settings: _settings, _locals, ...rest } = options as Record<string, unknown>;
  if (path.includes('broken')) done(new Error('broken view'));
  else done(null, `<p>${JSON.stringify({ rest, _locals })}</p>`);
};

const rendering =
  (use: (res: Response, note: Note) => unknown): Build =>
  (app, _kit, note) => {
    app.engine('tpl', engine);
    app.set('views', views);
    app.set('view engine', 'tpl');
    app.locals = { title: 'app' } as typeof app.locals;
    app.use((_req, res) => {
      res.locals.user = 'me';
      use(res, note);
    });
  };

const uses: [string, (res: Response, note: Note) => unknown][] = [
  ['sends a view', (res) => res.render('page')],
  ['takes options', (res) => res.render('page', { a: 1, title: 'mine' })],
  ['passes an error on', (res) => res.render('broken')],
  [
    'hands the text to a callback',
    (res, note) => res.render('page', (error: Error, text: string) => (note([error, text]), res.end())),
  ],
  [
    'hands the text to a callback after options',
    (res, note) => res.render('page', { a: 1 }, (error: Error, text: string) => (note([error, text]), res.end())),
  ],
  [
    'hands an error to a callback',
    (res, note) => res.render('broken', (error: Error) => (note(error.message), res.end())),
  ],
  ['keeps a status and a type', (res) => res.status(201).type('text').render('page')],
  ['passes on a view that is not there', (res) => res.render('nowhere')],
];

eachAsExpress(
  uses.map(([name, use]): Case => ({ name: `render ${name}`, app: rendering(use), send: request('GET /') })),
);
