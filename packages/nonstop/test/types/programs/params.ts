import express from 'nonstop';
import { holds, type Same } from './expect.js';

const app = express();

app.get('/', (req) => {
  // @ts-expect-error -- the path names no parameter
  req.params.id;
});

app.get('/users/:userId/books/:bookId', (req) => {
  holds<Same<typeof req.params.userId, string>>();
  holds<Same<typeof req.params.bookId, string>>();
  // @ts-expect-error -- the path does not name it
  req.params.authorId;
  // @ts-expect-error -- a string is no number
  const id: number = req.params.userId;
  return id;
});

app.get('/flights/:from-:to', (req) => {
  holds<Same<typeof req.params.from, string>>();
  holds<Same<typeof req.params.to, string>>();
});

app.get('/files/:name.:ext', (req) => {
  holds<Same<typeof req.params.name, string>>();
  holds<Same<typeof req.params.ext, string>>();
});

app.get('/static/*file', (req) => {
  holds<Same<typeof req.params.file, string[]>>();
});

app.get('/posts{/:page}', (req) => {
  holds<Same<typeof req.params.page, string | undefined>>();
  // @ts-expect-error -- the group may be missing
  req.params.page.length;
});

app.get('/:lang{/:page}/end', (req) => {
  holds<Same<typeof req.params.lang, string>>();
  holds<Same<typeof req.params.page, string | undefined>>();
});

app.get(/^\/commits\/(\w+)(?:\.\.(\w+))?$/, (req) => {
  holds<Same<(typeof req.params)[0], string>>();
  holds<Same<typeof req.params.name, string>>();
});

declare const path: string;
app.get(path, (req) => {
  holds<Same<typeof req.params.id, string | string[]>>();
});

// The part of a path that is not known may name parameters.
app.get([`${path}/list`, `${path}/all`], (req) => {
  holds<Same<typeof req.params.id, string | string[]>>();
});

app.use('/users/:userId', (req, _res, next) => {
  holds<Same<typeof req.params.userId, string>>();
  next();
});

app.route('/books/:isbn').get((req) => {
  holds<Same<typeof req.params.isbn, string>>();
  // @ts-expect-error -- the path does not name it
  req.params.id;
});

app.get<{ id: string }>('/given/:id', (req) => {
  holds<Same<typeof req.params, { id: string }>>();
});

app.get('/annotated/:id', (req: express.Request<{ id: string }>, res: express.Response) => {
  holds<Same<typeof req.params, { id: string }>>();
  res.end();
});

app.get('/dictionary/:id', (req: express.Request, res: express.Response) => {
  holds<Same<typeof req.params.anything, string | string[]>>();
  res.end();
});

app.param('userId', (req, res, next, value, name) => {
  holds<Same<typeof name, string>>();
  void [req.params, res.locals, value.any];
  next();
});
app.param(['a', 'b'], (_req, _res, next) => next());
// @ts-expect-error -- the function is missing
app.param('userId');
