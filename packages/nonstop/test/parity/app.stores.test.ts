import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import path = require('node:path');
import type express = require('express');
import { folder } from '../support/folder.js';
import { choosing, parities, request } from './stage.js';
import type { Framework, Next } from './stage.js';

// An AsyncLocalStorage store that a middleware has entered is there, or is lost, where it is with Express: log lines and traces depend on it.

const root = folder({ 'small.txt': 'some text', 'large.txt': 'x'.repeat(300_000), 'page.tpl': 'a page' });
const store = new AsyncLocalStorage<string>();

type Tell = (place: string) => void;

const JSON_BODY = { 'Content-Type': 'application/json' };
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const TEXT = { 'Content-Type': 'text/plain' };

const ROWS: readonly (readonly [name: string, meant: undefined, send: Buffer])[] = [
  ['behind json()', undefined, request('POST /json', JSON_BODY, '{"a":1}')],
  ['behind urlencoded()', undefined, request('POST /form', FORM, 'a=1&b=2')],
  ['behind text()', undefined, request('POST /text', TEXT, 'some text')],
  ['behind raw()', undefined, request('POST /raw', TEXT, 'some text')],
  ['a body that is not JSON', undefined, request('POST /json', JSON_BODY, '{"a":1')],
  ['listeners for a body', undefined, request('POST /listen', TEXT, 'some text')],
  ['a body in a loop', undefined, request('POST /loop', TEXT, 'some text')],
  ['behind awaits', undefined, request('GET /awaits')],
  ['the error of an async handler', undefined, request('GET /fails')],
  ['behind a param callback', undefined, request('GET /param/1')],
  ['the callback of sendFile(), a small file', undefined, request('GET /file/small.txt')],
  ['the callback of sendFile(), a large file', undefined, request('GET /file/large.txt')],
  ['the callback of sendFile(), no file', undefined, request('GET /file/none.txt')],
  ['the callback of download()', undefined, request('GET /download')],
  ['the callback of render()', undefined, request('GET /render')],
  ['callbacks of write() and end()', undefined, request('GET /parts')],
  ['the callback of end() alone', undefined, request('GET /end')],
  ['behind static files', undefined, request('GET /static/none.txt')],
  ['no route', undefined, request('GET /none')],
];

function routes(app: express.Express, make: Framework, told: (req: object) => Tell): void {
  app.set('views', root).set('view engine', 'tpl');
  app.engine('tpl', (_file, _options, done) => setImmediate(done, null, 'a page'));
  app.use((req, res, next) => {
    const tell = told(req);
    res.on('finish', () => tell('finish, in front'));
    store.run('own', () => {
      res.on('finish', () => tell('finish, in the store'));
      next();
    });
  });
  const answer = (req: express.Request, res: express.Response): void => {
    told(req)('the handler');
    res.end();
  };
  app.post('/json', make.json(), answer);
  app.post('/form', make.urlencoded({ extended: true }), answer);
  app.post('/text', make.text(), answer);
  app.post('/raw', make.raw({ type: '*/*' }), answer);
  app.post('/listen', (req, res) => {
    const tell = told(req);
    req.on('data', () => tell('data')).on('end', () => (tell('end'), res.end()));
  });
  app.post('/loop', async (req, res) => {
    for await (const _part of req) told(req)('a piece');
    answer(req, res);
  });
  app.get('/awaits', async (req, res) => {
    await Promise.resolve();
    told(req)('behind a microtask');
    await turn();
    answer(req, res);
  });
  app.get(
    '/fails',
    (req, _res, next: Next) => void turn().then(() => (told(req)('failing'), next(new Error('fails')))),
  );
  app.param('id', (req, _res, next) => {
    told(req)('the param callback');
    setImmediate(next);
  });
  app.get('/param/:id', answer);
  app.use('/static', make.static(root));
  answers(app, told);
  app.use((error: Error, req: express.Request, res: express.Response, _next: Next) => {
    told(req)('the error handler');
    res.status(500).send(error.name);
  });
}

/** Routes whose answer calls back. */
function answers(app: express.Express, told: (req: object) => Tell): void {
  app.get('/file/:name', (req, res, next) =>
    res.sendFile(path.join(root, req.params.name), (error) => {
      told(req)('sent');
      if (error) next(error);
    }),
  );
  app.get('/download', (req, res) => res.download(path.join(root, 'small.txt'), () => told(req)('sent')));
  app.get('/render', (req, res) =>
    res.render('page', (error: Error | null, text?: string) => {
      told(req)('rendered');
      res.send(error?.name ?? text);
    }),
  );
  app.get('/parts', (req, res) => {
    res.write('one', () => told(req)('written'));
    setImmediate(() => res.end('two', () => told(req)('ended')));
  });
  app.get('/end', (req, res) => void res.end('whole', () => told(req)('ended')));
}

parities([
  choosing('the store of a middleware', ROWS, (app, make, { noteOf }) => {
    routes(app, make, (req) => {
      const note = noteOf(req);
      return (place) => note(`${place}: ${store.getStore()}`);
    });
  }),
]);
