'use strict';

const path = require('node:path');
const express = require('nonstop');
const { openStore } = require('./store');

const PAGE = 20;

/** An error that is sent to the client. */
function refuse(status, message) {
  return Object.assign(new Error(message), { status, expose: true });
}

/** The valid members of a book; anything else is refused, not ignored. */
function readBook(body) {
  const { title, author, ...others } = body ?? {};
  for (const [name, value] of Object.entries({ title, author })) {
    if (typeof value !== 'string' || value.trim() === '' || value.length > 200) {
      throw refuse(422, `${name} has to be a text of 1 to 200 characters`);
    }
  }
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw refuse(422, `a book has no ${unknown}`);
  return { title: title.trim(), author: author.trim() };
}

/** The entity tag contains the version of a book. */
const tagOf = ({ version }) => `"${version}"`;

/** @param {{ store: import('./store').Store }} options */
function createApp({ store }) {
  const app = express();
  const books = express.Router();

  books.param('id', (req, res, next, text) => {
    const book = /^\d{1,9}$/.test(text) ? store.get(Number(text)) : undefined;
    if (book === undefined) return next(refuse(404, 'no such book'));
    req.book = book;
    next();
  });

  books.get('/', (req, res) => {
    const after = Number(req.query.after ?? 0);
    if (!Number.isSafeInteger(after) || after < 0) throw refuse(400, 'after has to be a whole number');
    const found = store.list({ after, limit: PAGE });
    if (found.length === PAGE) res.links({ next: `${req.baseUrl}?after=${found.at(-1).id}` });
    res.json(found);
  });

  books.post('/', (req, res) => {
    const book = store.add(readBook(req.body));
    res.status(201).location(`${req.baseUrl}/${book.id}`).set('ETag', tagOf(book)).json(book);
  });

  books.get('/:id', (req, res) => {
    res.set('ETag', tagOf(req.book)).json(req.book);
  });

  // If two clients change a book at the same time, the second one gets 412 instead of undoing the first change.
  books.put('/:id', (req, res) => {
    const tag = req.get('If-Match');
    if (tag === undefined) throw refuse(428, 'send the ETag of the book in If-Match');
    const { id, version } = req.book;
    const changed = tag === tagOf(req.book) ? store.update(id, version, readBook(req.body)) : undefined;
    if (changed === undefined) throw refuse(412, 'the book has changed meanwhile');
    res.set('ETag', tagOf(changed)).json(changed);
  });

  books.delete('/:id', (req, res) => {
    store.remove(req.book.id);
    res.sendStatus(204);
  });

  app.use(express.json({ limit: '10kb' }));
  app.use('/books', books);
  app.use((req, res, next) => next(refuse(404, `there is no ${req.path}`)));
  app.use((err, req, res, next) => {
    if (res.headersSent) return next(err);
    const status = err.status ?? 500;
    if (status >= 500) console.error(err);
    res.status(status).json({ error: err.expose ? err.message : 'something went wrong' });
  });
  return app;
}

module.exports = { createApp };

if (require.main === module) {
  const store = openStore(process.env.DATABASE ?? path.join(__dirname, 'books.db'));
  const server = createApp({ store }).listen(process.env.PORT ?? 3000, (error) => {
    if (error) throw error;
    console.log(`http://localhost:${server.address().port}/books`);
  });
}
