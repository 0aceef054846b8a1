import express, { type Request, type Response, type Router } from 'nonstop';

export interface Book {
  readonly id: number;
  readonly title: string;
}

interface Failure {
  readonly error: string;
}

/** Whether a body from a client is a book without its id. */
function isNewBook(body: unknown): body is Pick<Book, 'title'> {
  return typeof body === 'object' && body !== null && 'title' in body && typeof body.title === 'string';
}

export function books(): Router {
  const router = express.Router();
  const all: Book[] = [{ id: 1, title: 'Dune' }];

  router.get('/', (_req, res: Response<Book[]>) => {
    res.json(all);
  });

  // The type of req.params is read from the path.
  router.get('/:id', (req, res: Response<Book | Failure>) => {
    const book = all.find(({ id }) => id === Number(req.params.id));
    if (book === undefined) res.status(404).json({ error: 'no such book' });
    else res.json(book);
  });

  router.post('/', (req: Request<object, Book | Failure, unknown>, res: Response<Book | Failure>) => {
    if (!isNewBook(req.body)) {
      res.status(422).json({ error: 'a book has a title' });
      return;
    }
    const book = { id: all.length + 1, title: req.body.title };
    all.push(book);
    res.status(201).json(book);
  });

  return router;
}
