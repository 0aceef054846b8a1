/**
 * The application that agents watch, as a CommonJS program and as an ES module. Each reports which server serves it, and
 * ends on a message.
 */

const body = `
const app = express();
const served = { engine: 0, 'node:http': 0 };

app.engine('txt', (file, options, callback) => callback(null, 'view of ' + options.title));
app.set('views', directory);
app.set('view engine', 'txt');

app.use(function countServed(req, res, next) {
  const own = Object.getOwnPropertySymbols(req).some(({ description }) => description === 'nonstop.connection');
  served[own ? 'engine' : 'node:http']++;
  next();
});
app.use(express.json());

app.get('/hello', (req, res) => res.send('hello'));
app.get('/users/:id', (req, res) => res.json({ id: req.params.id }));
app.post('/users', function checkUser(req, res, next) { next(); }, (req, res) => res.status(201).json(req.body));
app.get(['/one', '/two'], (req, res) => res.send('either'));
app.get(/^\\/number\\/\\d+$/, (req, res) => res.send('number'));
app.get('/slow', async (req, res) => {
  await new Promise((resolve) => setTimeout(resolve, 5));
  globalThis.startOwnSpan?.();
  res.send('slow');
});
app.get('/view', (req, res) => res.render('page', { title: 'a page' }));
app.route('/both').get((req, res) => res.send('got')).put((req, res) => res.send('put'));

const items = express.Router();
items.use(function loadItems(req, res, next) { next(); });
items.param('item', (req, res, next, item) => { req.item = item; next(); });
items.get('/', (req, res) => res.send('all'));
items.get('/:item', (req, res) => res.send(req.item));
const api = express.Router();
api.use('/items', items);
app.use('/api', api);

const inner = express();
inner.get('/:page', (req, res) => res.send('inner ' + req.params.page));
app.use('/inner', inner);

app.get('/throws', () => { throw new Error('thrown'); });
app.get('/passes', (req, res, next) => next(new Error('passed')));
app.get('/rejects', REJECTS);
app.use(function answerError(error, req, res, next) { res.status(500).send(error.message); });

const server = app.listen(0, '127.0.0.1', async () => {
  await globalThis.agentIsReady;
  process.send({ port: server.address().port });
});
process.once('message', async () => {
  if (!process.env.NO_COLLECTOR) await globalThis.flushAgent?.();
  process.send({ served }, () => process.exit());
});
`;

/** Handlers with a promise for the two versions: Express 4 ignores it. */
const rejects = {
  4: `(req, res, next) => Promise.reject(new Error('rejected')).catch(next)`,
  5: `async () => { throw new Error('rejected'); }`,
};

/** @param {4 | 5} version @returns {Record<string, string>} programs by their names */
export function programs(version) {
  const text = body.replace('REJECTS', () => rejects[version]);
  return {
    'app.cjs': `const express = require('express');\nconst directory = __dirname;${text}`,
    'app.mjs': `import express from 'express';\nconst directory = import.meta.dirname;${text}`,
    'page.txt': '',
  };
}

/** The requests, one after another. */
export const requests = [
  'GET /hello',
  'GET /users/7',
  'POST /users',
  'GET /two',
  'GET /number/12',
  'GET /slow',
  'GET /view',
  'PUT /both',
  'GET /api/items',
  'GET /api/items/3?deep=1',
  'GET /inner/page',
  'GET /throws',
  'GET /passes',
  'GET /rejects',
  'GET /nowhere',
  'HEAD /hello',
  'OPTIONS /both',
];
