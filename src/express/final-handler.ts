import type http = require('node:http');
import { lazy } from '../core/lazy.js';
import type { Next } from '../routing/shapes.js';
import type { Application } from './shape.js';

interface FinalOptions {
  readonly env: unknown;
  readonly onerror: (error: unknown) => void;
}

type FinalHandler = (req: http.IncomingMessage, res: http.ServerResponse, options: FinalOptions) => Next;

const finalHandler = lazy(() => require('finalhandler') as FinalHandler);

/** Answers what no handler has answered: 404, or the page of an error, which is written to the console too. */
export function answerLast(
  app: Application,
  req: http.IncomingMessage,
  res: http.ServerResponse,
  error: unknown,
): void {
  const onerror = (err: unknown): void => {
    if (app.get('env') !== 'test') console.error(err);
  };
  finalHandler()(req, res, { env: app.get('env'), onerror })(error);
}
