import express from 'nonstop/v4';
import { holds, type Same } from '../../programs/expect.js';

const app = express();

app.get('/users/:userId/books/:bookId', (req) => {
  holds<Same<typeof req.params.userId, string>>();
  holds<Same<typeof req.params.bookId, string>>();
  // @ts-expect-error -- the path does not name it
  req.params.authorId;
});

app.get('/flights/:from-:to', (req) => {
  holds<Same<typeof req.params.from, string>>();
  holds<Same<typeof req.params.to, string>>();
});

app.get('/posts/:page?', (req) => {
  holds<Same<typeof req.params.page, string | undefined>>();
  // @ts-expect-error -- it may be missing
  req.params.page.length;
});

app.get('/user/:id(\\d+)', (req) => {
  holds<Same<typeof req.params.id, string>>();
});

app.get(/^\/commits\/(\w+)(?:\.\.(\w+))?$/, (req) => {
  holds<Same<(typeof req.params)[0], string>>();
});

declare const path: string;
app.get(path, (req) => {
  holds<Same<typeof req.params.id, string>>();
});

app.route('/books/:isbn').get((req) => {
  holds<Same<typeof req.params.isbn, string>>();
});

app.get<{ id: string }>('/given/:id', (req) => {
  holds<Same<typeof req.params, { id: string }>>();
});

app.get('/annotated/:id', (req: express.Request<{ id: string }>, res: express.Response) => {
  holds<Same<typeof req.params, { id: string }>>();
  res.end();
});

app.param((name, matcher) => (req, res, next, value: string) => {
  if (matcher.test(value)) next();
  else next(name);
});
app.param(['a', 'b'], (_req, _res, next) => next());
