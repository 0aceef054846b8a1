import type five = require('../index.js');
import type { AddedToRequest, AddedToResponse } from '../foreign.js';
import type { Nested, OwnErrorRequestHandler, OwnRequestHandler } from '../handlers.js';
import type { OwnRequest } from '../request.js';
import type { OwnResponse } from '../response.js';
import type { Untyped, UntypedRecord } from '../untyped.js';
import type { Application } from './application.js';
import type { ParamsDictionary } from './params.js';

/** What requests of Express 5 do not have any more. */
interface OlderRequest {
  /** @deprecated The host name without its port: use `hostname`. */
  readonly host: string;

  /** @deprecated Use `params`, `body` or `query`: the first of these that has the name counts. */
  param(name: string, defaultValue?: Untyped): string;
}

/**
 * A request of Express 4: that of Express 5, whose query can be written, and some older names.
 *
 * @see https://expressjs.com/en/4x/api.html#req
 */
export interface Request<
  P = ParamsDictionary,
  ResBody = Untyped,
  ReqBody = Untyped,
  ReqQuery = five.Query,
  LocalsObj extends UntypedRecord = UntypedRecord,
>
  extends
    OwnRequest<P, ReqBody, ReqQuery>,
    AddedToRequest<keyof OwnRequest | keyof OlderRequest | 'app' | 'res'>,
    OlderRequest {
  /** The query string, as the setting `query parser` has parsed it; its default is `'extended'`. It may be replaced. */
  query: ReqQuery;

  /** The application that handles the request now: within a mounted one, that one. */
  app: Application;

  /** The response to this request. */
  res?: Response<ResBody, LocalsObj> | undefined;
}

/** Called when a transfer has ended: with the error that ended it, if there was one. */
export type Errback = (err: Error) => void;

/** One function for each media type or extension that `res.format` offers; `default` when none will do. */
export interface FormatHandlers {
  [type: string]: (req: Request, res: Response, next: five.NextFunction) => unknown;
}

/**
 * A response of Express 4: that of Express 5, and some older forms.
 *
 * @see https://expressjs.com/en/4x/api.html#res
 */
export interface Response<
  ResBody = Untyped,
  LocalsObj extends UntypedRecord = UntypedRecord,
  StatusCode extends number = number,
>
  extends
    OwnResponse<ResBody, LocalsObj, StatusCode>,
    AddedToResponse<keyof OwnResponse | 'app' | 'format' | 'req' | 'sendfile'> {
  /**
   * Calls the function for the type that the client likes best, as `res.format` of Express 5.
   *
   * @param handlers a function by media type or extension; `default` when none will do
   * @see https://expressjs.com/en/4x/api.html#res.format
   */
  format(handlers: FormatHandlers): this;

  /**
   * Answers with a file, conditional and ranged requests included.
   *
   * @param path absolute, unless `options.root` is given; not to be built from what a client sent without a `root`
   * @param fn called at the end of the transfer; without it, errors go to `next`
   * @throws TypeError without a path, for one that is not a string, and for a relative one without a `root`
   * @see https://expressjs.com/en/4x/api.html#res.sendFile
   */
  sendFile(path: string, fn?: Errback): void;
  sendFile(path: string, options: five.SendFileOptions, fn?: Errback): void;

  /**
   * Answers with a file that the browser is to save.
   *
   * @param path relative paths are relative to `options.root`, or to the working directory
   * @param fn called at the end of the transfer; without it, errors go to `next`
   * @see https://expressjs.com/en/4x/api.html#res.download
   */
  download(path: string, fn?: Errback): void;
  /**
   * The same with a name, or with options in its place.
   *
   * @param filename the name that it is saved under; default the file's own
   */
  download(path: string, filename: string | five.DownloadOptions, fn?: Errback): void;
  download(path: string, filename: string, options: five.DownloadOptions, fn?: Errback): void;

  /**
   * Answers with a file, whose path is relative to the working directory where `options.root` is not given.
   *
   * @param path of the file
   * @param fn called at the end of the transfer; without it, errors go to `next`
   * @see https://expressjs.com/en/4x/api.html#res.sendFile
   * @deprecated Use `sendFile`.
   */
  sendfile(path: string, fn?: Errback): void;
  /** @deprecated Use `sendFile`. */
  sendfile(path: string, options: five.SendFileOptions, fn?: Errback): void;

  /**
   * Answers with a redirection, 302, and a short body that says so.
   *
   * @param url absolute or relative; `'back'` is where the client comes from, or `/`
   * @see https://expressjs.com/en/4x/api.html#res.redirect
   */
  redirect(url: string): void;
  /**
   * The same with a status.
   *
   * @param status such as 301, 303, 307 or 308
   */
  redirect(status: number, url: string): void;
  /** @deprecated Give the status first. */
  redirect(url: string, status: number): void;

  /** The application that handles the request now: within a mounted one, that one. */
  app: Application;

  /** The request that this answers. */
  req: Request;
}

/** A middleware or the end of a route. What it throws goes to the error handlers; what it returns, promises too, is not looked at. */
export interface RequestHandler<
  P = ParamsDictionary,
  ResBody = Untyped,
  ReqBody = Untyped,
  ReqQuery = five.Query,
  LocalsObj extends UntypedRecord = UntypedRecord,
> extends OwnRequestHandler<4, P, ResBody, ReqBody, ReqQuery, LocalsObj> {}

/** A handler of errors, told by its four parameters. */
export interface ErrorRequestHandler<
  P = ParamsDictionary,
  ResBody = Untyped,
  ReqBody = Untyped,
  ReqQuery = five.Query,
  LocalsObj extends UntypedRecord = UntypedRecord,
> extends OwnErrorRequestHandler<4, P, ResBody, ReqBody, ReqQuery, LocalsObj> {}

/** A {@link RequestHandler} without type arguments. */
export interface Handler extends RequestHandler {}

/** Runs once a request for each value of a route parameter, before the handlers of the route. */
export type RequestParamHandler = (
  req: Request,
  res: Response,
  next: five.NextFunction,
  value: Untyped,
  name: string,
) => unknown;

/** Whatever a route or `use` takes after the path: handlers of requests and of errors, or lists of them. */
export type RequestHandlerParams<
  P = ParamsDictionary,
  ResBody = Untyped,
  ReqBody = Untyped,
  ReqQuery = five.Query,
  LocalsObj extends UntypedRecord = UntypedRecord,
> = Nested<
  | RequestHandler<P, ResBody, ReqBody, ReqQuery, LocalsObj>
  | ErrorRequestHandler<P, ResBody, ReqBody, ReqQuery, LocalsObj>
>;
