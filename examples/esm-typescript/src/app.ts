import express, { type ErrorRequestHandler, type Express } from 'nonstop';
import { books } from './books.js';

const onError: ErrorRequestHandler = (err, req, res, next) => {
  if (res.headersSent) return next(err);
  const status = err.status ?? 500;
  if (status >= 500) console.error(err);
  res.status(status).json({ error: err.expose === true ? err.message : 'something went wrong' });
};

export function createApp(): Express {
  const app = express();
  app.use(express.json());
  app.use('/books', books());
  app.use(onError);
  return app;
}
