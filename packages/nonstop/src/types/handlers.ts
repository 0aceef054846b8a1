import type { Application } from './application.js';
import type { Major, Messages } from './majors.js';
import type { ParamsDictionary } from './params-from-path.js';
import type { Query, Request } from './request.js';
import type { Response } from './response.js';
import type { Untyped, UntypedRecord } from './untyped.js';

/** Goes on to the next handler; with an error, to the next error handler. Calling it twice in one handler is a bug. */
export interface NextFunction {
  /** @param err anything but `undefined`, `null`, `'route'` and `'router'` skips to the next error handler. */
  (err?: Untyped): void;
  /** Leaves this router: its remaining handlers are skipped. */
  (deferToNext: 'router'): void;
  /** Leaves this route: its remaining handlers are skipped. Has that meaning in handlers of a route only. */
  (deferToNext: 'route'): void;
}

/** A {@link RequestHandler} of either major. */
export interface OwnRequestHandler<M extends Major, P, ResBody, ReqBody, ReqQuery, LocalsObj extends UntypedRecord> {
  (
    req: Messages<P, ResBody, ReqBody, ReqQuery, LocalsObj>[M]['request'],
    res: Messages<P, ResBody, ReqBody, ReqQuery, LocalsObj>[M]['response'],
    next: NextFunction,
  ): unknown;
}

/** An {@link ErrorRequestHandler} of either major. */
export interface OwnErrorRequestHandler<
  M extends Major,
  P,
  ResBody,
  ReqBody,
  ReqQuery,
  LocalsObj extends UntypedRecord,
> {
  (
    err: Untyped,
    req: Messages<P, ResBody, ReqBody, ReqQuery, LocalsObj>[M]['request'],
    res: Messages<P, ResBody, ReqBody, ReqQuery, LocalsObj>[M]['response'],
    next: NextFunction,
  ): unknown;
}

/** A handler, or lists of handlers, nested as deep as one likes: the router flattens them. */
export type Nested<Handler> = Handler | readonly Nested<Handler>[];

/**
 * A middleware or the end of a route.
 *
 * What it throws, and what a promise it returns rejects with, goes to the error handlers as if `next(err)` had been called.
 * The value it returns is otherwise ignored.
 *
 * @typeParam P `req.params`; inferred from the path where the handler is written in the call
 * @typeParam ResBody what `res.send`, `res.json` and `res.jsonp` take
 * @typeParam ReqBody `req.body`
 * @typeParam ReqQuery `req.query`
 * @typeParam LocalsObj `res.locals`, beside {@link Express.Locals}
 * @see https://expressjs.com/en/guide/using-middleware.html
 */
export interface RequestHandler<
  P = ParamsDictionary,
  ResBody = Untyped,
  ReqBody = Untyped,
  ReqQuery = Query,
  LocalsObj extends UntypedRecord = UntypedRecord,
> extends OwnRequestHandler<5, P, ResBody, ReqBody, ReqQuery, LocalsObj> {}

/**
 * A handler of errors. It must declare all four parameters: the router tells it from a {@link RequestHandler} by their
 * number.
 *
 * @see https://expressjs.com/en/guide/error-handling.html
 */
export interface ErrorRequestHandler<
  P = ParamsDictionary,
  ResBody = Untyped,
  ReqBody = Untyped,
  ReqQuery = Query,
  LocalsObj extends UntypedRecord = UntypedRecord,
> extends OwnErrorRequestHandler<5, P, ResBody, ReqBody, ReqQuery, LocalsObj> {}

/** A {@link RequestHandler} without type arguments. */
export interface Handler extends RequestHandler {}

/**
 * Runs once a request for each value of a route parameter, before the handlers of the route.
 *
 * @see https://expressjs.com/en/5x/api.html#router.param
 */
export type RequestParamHandler = (
  req: Request,
  res: Response,
  next: NextFunction,
  value: Untyped,
  name: string,
) => unknown;

/** Whatever a route or `use` takes after the path: handlers of requests and of errors, or lists of them. */
export type RequestHandlerParams<
  P = ParamsDictionary,
  ResBody = Untyped,
  ReqBody = Untyped,
  ReqQuery = Query,
  LocalsObj extends UntypedRecord = UntypedRecord,
> = Nested<
  | RequestHandler<P, ResBody, ReqBody, ReqQuery, LocalsObj>
  | ErrorRequestHandler<P, ResBody, ReqBody, ReqQuery, LocalsObj>
>;

/** Called when a transfer has ended: without an argument, or with the error that ended it. */
export type Errback = (err?: Error) => void;

/** What a template engine's function is called with, and gives back. */
export type ViewEngine = (path: string, options: object, callback: (err: Untyped, rendered?: string) => void) => void;

/** Called with the markup of a view, or with the error that kept it from being rendered. */
export type RenderCallback = (err: Error, html: string) => void;

/** Called when an application has been mounted: see `app.on('mount')`. */
export type MountListener<App = Application> = (parent: App) => void;
