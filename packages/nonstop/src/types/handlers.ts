import type { Application } from './application.js';
import type { Major, Messages, Named } from './majors.js';
import type { ParamsDictionary } from './params-from-path.js';
import type { Query, Request } from './request.js';
import type { Response } from './response.js';
import type { Untyped, UntypedRecord } from './untyped.js';

/**
 * Continues with the next handler; with an error, with the next error handler. Calling it twice in one handler is a bug.
 *
 * @see https://expressjs.com/en/guide/using-middleware.html
 */
export interface NextFunction {
  /**
   * Continues with the next handler.
   *
   * @param err any truthy value except `'route'` and `'router'` skips to the next error handler
   */
  (err?: Untyped): void;
  /** Leaves this router: its remaining handlers are skipped. @param deferToNext `'router'` */
  (deferToNext: 'router'): void;
  /** Leaves this route: its remaining handlers are skipped. Only in handlers of a route. @param deferToNext `'route'` */
  (deferToNext: 'route'): void;
}

/** A {@link RequestHandler} of either major. */
export interface OwnRequestHandler<M extends Major, P, ResBody, ReqBody, ReqQuery, LocalsObj extends UntypedRecord> {
  /**
   * @param req the request
   * @param res its response
   * @param next continues with the next handler
   */
  (
    req: Messages<P, ResBody, ReqBody, ReqQuery, LocalsObj>[M]['request'],
    res: Messages<P, ResBody, ReqBody, ReqQuery, LocalsObj>[M]['response'],
    next: NextFunction,
  ): Named[M]['returned'];
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
  /**
   * @param err the value that a handler threw, rejected with or passed to `next`
   * @param req the request
   * @param res its response
   * @param next continues with the next handler, or with the next error handler
   */
  (
    err: Untyped,
    req: Messages<P, ResBody, ReqBody, ReqQuery, LocalsObj>[M]['request'],
    res: Messages<P, ResBody, ReqBody, ReqQuery, LocalsObj>[M]['response'],
    next: NextFunction,
  ): Named[M]['returned'];
}

/** A handler, or lists of handlers, nested to any depth: the router flattens them. */
export type Nested<Handler> = Handler | readonly Nested<Handler>[];

/**
 * A middleware or the end of a route.
 *
 * An error that it throws, and a rejection of a promise that it returns, go to the error handlers, as by `next(err)`. Other returned
 * values are ignored.
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
 * Called once in a request for each value of a route parameter, before the handlers of the route: with request, response, `next`, the
 * value and the name.
 *
 * @see https://expressjs.com/en/5x/api.html#router.param
 */
export type RequestParamHandler = (
  req: Request,
  res: Response,
  next: NextFunction,
  value: Untyped,
  name: string,
) => Untyped;

/** The arguments of a route or of `use` after the path: handlers of requests and of errors, or lists of them. */
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

/** Renders the file at `path` with the values in `options`, and passes the markup or an error to `callback`. */
export type ViewEngine = (path: string, options: object, callback: (err: Untyped, rendered?: string) => void) => void;

/** Called with the markup of a view, or with the error of rendering it. */
export type RenderCallback = (err: Error, html: string) => void;

/** Called with the parent when an application has been mounted: see `app.on('mount')`. */
export type MountListener<App = Application> = (parent: App) => void;
