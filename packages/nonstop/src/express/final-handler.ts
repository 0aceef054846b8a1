import type http = require('node:http');
import { define } from '../core/define-own.js';
import { lazy } from '../core/lazy.js';
import type { Next, RoutedRequest, RoutedResponse } from '../routing/shapes.js';
import type { LastResort } from '../routing/walk.js';
import { dialectOf, type Application } from './shape.js';

interface FinalOptions {
  readonly env: unknown;
  readonly onerror: (error: unknown) => void;
}

type FinalHandler = (req: http.IncomingMessage, res: http.ServerResponse, options: FinalOptions) => Next;

const finalHandler = lazy(() => require('finalhandler') as FinalHandler);

/** @returns the package, or why it cannot be loaded: its files may be gone */
function packageOr(load: () => FinalHandler): FinalHandler | Error {
  try {
    return load();
  } catch (error) {
    return error as Error;
  }
}

const kFinalAnswers: unique symbol = Symbol('nonstop.finalAnswers');

/** Responds when no handler did: with 404, or with an error page; the error is also written to the console. */
class FinalAnswers implements LastResort {
  readonly app: Application;

  constructor(app: Application) {
    this.app = app;
  }

  answerLast(req: RoutedRequest, res: RoutedResponse, error: unknown): void {
    const { app } = this;
    const onerror = (err: unknown): void => {
      if (app.get('env') !== 'test') console.error(dialectOf(app).logged(err));
    };
    const options = { env: app.get('env'), onerror };
    const answer = packageOr(finalHandler);
    if (typeof answer === 'function') {
      answer(req as http.IncomingMessage, res as http.ServerResponse, options)(error);
      return;
    }
    // Thrown here it would reach nobody, and the client would wait.
    onerror(answer);
    const response = res as http.ServerResponse;
    if (response.headersSent) response.destroy();
    else response.writeHead(500).end();
  }
}

/** One function for each application, not one for each request. */
export function finalAnswersOf(app: Application & { [kFinalAnswers]?: FinalAnswers }): FinalAnswers {
  const known = app[kFinalAnswers];
  // The function may belong to another application, from which this one inherits.
  if (known !== undefined && known.app === app) return known;
  const made = new FinalAnswers(app);
  // A program may have frozen its application.
  if (Object.isExtensible(app)) define(app, kFinalAnswers, { configurable: true, value: made });
  return made;
}

/** {@link FinalAnswers} as a function, for routers whose `handle` may be replaced. */
// Not in `handle`: the closure's context would be allocated there for each request, even without the closure.
export function lastOf(app: Application, req: RoutedRequest, res: http.ServerResponse): Next {
  return (error) => finalAnswersOf(app).answerLast(req, res, error);
}
