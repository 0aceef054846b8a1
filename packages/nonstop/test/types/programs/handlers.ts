import type { IncomingMessage, ServerResponse } from 'node:http';
import express, {
  type ErrorRequestHandler,
  type Handler,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'nonstop';
import { holds, type Same } from './expect.js';

const app = express();

interface Book {
  title: string;
}

const log: RequestHandler = (req, res, next) => {
  res.locals['start'] = Date.now();
  void req.originalUrl;
  next();
};
const plain: Handler = (_req, _res, next) => next();
const promised: RequestHandler = async (_req, res) => {
  await Promise.resolve();
  return res.sendStatus(204);
};
const onError: ErrorRequestHandler = (err, req, res, next) => {
  if (res.headersSent) return next(err);
  return res.status(err.status ?? 500).json({ path: req.path });
};

app.use(log, plain, promised);
app.use([log, plain]);
app.use('/a', log, [plain, promised]);
app.use(['/a', /^\/b/], log);
app.use(onError);
app.use('/a', log, onError);
app.use((err: Error, _req: Request, res: Response, _next: NextFunction) => {
  res.status(500).send(err.message);
});

// A middleware that is made in the call infers the types of its own functions, as those of morgan do.
declare function logger<Req extends IncomingMessage = IncomingMessage, Res extends ServerResponse = ServerResponse>(
  line: (req: Req, res: Res) => string,
): (req: Req, res: Res, next: (err?: Error) => void) => void;
app.use(logger((req, res) => req.originalUrl + String(res.locals['start'])));
app.use(
  plain,
  logger((req) => req.originalUrl),
);
app.route('/users/:id').get(logger((req) => req.params.id));

// Lists of handlers that declare their parameters in another way, as the chains of express-validator do.
interface Chain {
  // oxlint-disable-next-line typescript/no-explicit-any -- as express-validator declares it
  (req: { params?: Record<string, any>; query?: Record<string, any> }, res: unknown, next: () => void): void;
  run(): void;
}
declare const chains: Chain[];
declare const checks: Chain[] & { run(): void };
app.put('/users/:id', checks, chains, (req: Request<{ id: string }>, res: Response) => void res.send(req.params.id));

const books: RequestHandler<{ isbn: string }, Book | { error: string }, Book, { draft?: string }, { user: string }> = (
  req,
  res,
  next,
) => {
  holds<Same<typeof req.params.isbn, string>>();
  holds<Same<typeof req.body.title, string>>();
  holds<Same<typeof req.query.draft, string | undefined>>();
  holds<Same<typeof res.locals.user, string>>();
  res.json({ title: 'Ulysses' });
  res.send({ error: 'none' });
  // @ts-expect-error -- not what the response may hold
  res.json({ pages: 1 });
  // @ts-expect-error -- the body has no such member
  void req.body.pages;
  next('route');
  next('router');
  next(new Error('lost'));
};
app.put('/books/:isbn', books);

app.post<never, { ok: boolean }, { name: string }>('/typed', (req, res) => {
  holds<Same<typeof req.body.name, string>>();
  res.json({ ok: true });
  // @ts-expect-error -- `ok` is a boolean
  res.json({ ok: 'yes' });
});

interface User {
  name: string;
}
const needsUser = (req: Request & { user: User }, res: Response): void => {
  res.send(req.user.name);
};
// @ts-expect-error -- no request is known to have a user
app.get('/me', needsUser);
// @ts-expect-error -- a number is no handler
app.get('/number', 1);
// @ts-expect-error -- five parameters are one too many
app.use((a: unknown, b: Request, c: Response, d: NextFunction, e: string) => [a, b, c, d, e]);
// @ts-expect-error -- a path alone is a setting, and settings have names
app.get(1);

export class Controller {
  readonly list: RequestHandler = (_req, res) => {
    res.json([]);
  };

  show(req: Request, res: Response): void {
    res.send(req.params['id']);
  }
}
const controller = new Controller();
app.get('/c', controller.list);
app.get('/c/:id', controller.show.bind(controller));

const handlers: RequestHandler[] = [log, plain];
app.get('/spread', ...handlers);
app.get('/list', handlers);
