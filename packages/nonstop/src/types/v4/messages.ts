import type five = require('../index.js');
import type { AddedToRequest, AddedToResponse } from '../foreign.js';
import type { Nested, OwnErrorRequestHandler, OwnRequestHandler } from '../handlers.js';
import type { OwnRequest } from '../request.js';
import type { FormatsOf, OwnResponse } from '../response.js';
import type { Untyped, UntypedRecord } from '../untyped.js';
import type { Application } from './application.js';
import type { ParamsDictionary } from './params.js';

/** The members of requests that Express 5 does not have. */
interface OlderRequest {
  /** @deprecated The host name without its port: use `hostname`. */
  readonly host: string;

  /**
   * A parameter of the path, the body or the query, in this order.
   *
   * @param name of the parameter
   * @param defaultValue returned if none has it
   * @deprecated Use `params`, `body` or `query`.
   */
  param(name: string, defaultValue?: Untyped): string;
}

/**
 * A request of Express 4: as that of Express 5, with a writable query and some older names.
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
  /** The query string, parsed by the setting `query parser`; the default is `'extended'`. It can be replaced. */
  query: ReqQuery;

  /** The application that handles the request now: within a mounted one, that one. */
  app: Application;

  /** The response to this request. */
  res?: Response<ResBody, LocalsObj> | undefined;
}

/** Called at the end of a transfer, with its error if there was one. */
export type Errback = (err: Error) => void;

/** Functions for `res.format` by media type or extension; `default` is called if none is acceptable. */
export interface FormatHandlers {
  [type: string]: (req: Request, res: Response, next: five.NextFunction) => unknown;
}

/**
 * A response of Express 4: as that of Express 5, with some older forms.
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
   * Calls the function for the type that the client prefers, as `res.format` of Express 5.
   *
   * @param handlers functions by media type or extension
   * @see https://expressjs.com/en/4x/api.html#res.format
   */
  format<T extends FormatsOf<T, FormatHandlers[string]>>(handlers: T): this;

  /**
   * Answers with a file, conditional and ranged requests included.
   *
   * @param path absolute, unless `options.root` is given. Use a `root` for a path that a client sent
   * @param fn called at the end of the transfer; without it, errors go to `next`
   * @throws TypeError without a path, for one that is not a string, and for a relative one without a `root`
   * @see https://expressjs.com/en/4x/api.html#res.sendFile
   */
  sendFile(path: string, fn?: Errback): void;
  /**
   * The same with options.
   *
   * @param options the folder that `path` may not leave (`root`), fields, caching
   */
  sendFile(path: string, options: five.SendFileOptions, fn?: Errback): void;

  /**
   * Answers with a file that the browser saves.
   *
   * @param path relative paths are relative to `options.root`, or to the working directory
   * @param fn called at the end of the transfer; without it, errors go to `next`
   * @see https://expressjs.com/en/4x/api.html#res.download
   */
  download(path: string, fn?: Errback): void;
  /**
   * The same with a name, or with options in its place.
   *
   * @param filename the name under which it is saved; default the file's own
   */
  download(path: string, filename: string | five.DownloadOptions, fn?: Errback): void;
  /**
   * The same with a name and options.
   *
   * @param options as those of {@link sendFile}
   */
  download(path: string, filename: string, options: five.DownloadOptions, fn?: Errback): void;

  /**
   * Answers with a file.
   *
   * @param path percent-encoded; relative to `options.root`, or to the working directory
   * @param fn called at the end of the transfer; without it, errors go to `next`
   * @see https://expressjs.com/en/4x/api.html#res.sendFile
   * @deprecated Use `sendFile`.
   */
  sendfile(path: string, fn?: Errback): void;
  /**
   * The same with options.
   *
   * @param options as those of {@link sendFile}
   * @deprecated Use `sendFile`.
   */
  sendfile(path: string, options: five.SendFileOptions, fn?: Errback): void;

  /**
   * Answers with a redirect, 302, and a short body.
   *
   * @param url absolute or relative; `'back'` means the Referrer field, or `/`
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

/** A middleware or the end of a route. An error that it throws goes to the error handlers. Returned values, promises too, are ignored. */
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

/** Called once in a request for each value of a route parameter, before the handlers of the route. */
export type RequestParamHandler = (
  req: Request,
  res: Response,
  next: five.NextFunction,
  value: Untyped,
  name: string,
) => Untyped;

/** The arguments of a route or of `use` after the path: handlers of requests and of errors, or lists of them. */
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
