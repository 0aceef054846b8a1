import type http = require('node:http');
import type { Application } from './application.js';
import type { AddedToCookieOptions, AddedToResponse } from './foreign.js';
import type { OpenResponse, Locals } from './global.js';
import type { Errback, NextFunction, RenderCallback } from './handlers.js';
import type { Request } from './request.js';
import type { Untyped, UntypedRecord } from './untyped.js';

/** Attributes of a cookie (RFC 6265 §4.1), for `res.cookie` and `res.clearCookie`. */
export interface CookieOptions extends OwnCookieOptions, AddedToCookieOptions<keyof OwnCookieOptions> {}

/** Attributes that this package declares. */
export interface OwnCookieOptions {
  /** Lifetime in milliseconds from now; sets both `Max-Age` and `Expires`. */
  maxAge?: number | undefined;
  /** Whether to sign the value, with the secret that was given to the cookie parser. */
  signed?: boolean | undefined;
  /** When it expires; without this and `maxAge` the cookie ends with the browser's session. */
  expires?: Date | undefined;
  /** Hides it from scripts; default `false`. */
  httpOnly?: boolean | undefined;
  /** The path below which it is sent; default `/`. */
  path?: string | undefined;
  /** The domain to which it is sent; default the host that set it. */
  domain?: string | undefined;
  /** Sends it over HTTPS only; default `false`. */
  secure?: boolean | undefined;
  /** Encodes the value for the field; default `encodeURIComponent`. */
  encode?: ((val: string) => string) | undefined;
  /** Whether it is sent with requests from other sites; `true` means `'strict'`. Default: the browser's. */
  sameSite?: boolean | 'lax' | 'strict' | 'none' | undefined;
  /** Cookies of low priority are dropped first by a browser that has too many. */
  priority?: 'low' | 'medium' | 'high';
  /** Keeps one cookie for each site that embeds this one; default `false`. */
  partitioned?: boolean | undefined;
}

/** The options that `res.sendFile`, `res.download` and `express.static` share. */
export interface FileOptions {
  /** Whether to serve parts of it (RFC 9110 §14); default `true`. */
  acceptRanges?: boolean | undefined;
  /** Whether to set `Cache-Control`; default `true`. With `false`, `immutable` and `maxAge` have no effect. */
  cacheControl?: boolean | undefined;
  /** Whether to set an `ETag`; default `true` (`res.sendFile` follows the setting `etag`). */
  etag?: boolean | undefined;
  /** Whether the file never changes while `maxAge` lasts; default `false`. */
  immutable?: boolean | undefined;
  /** Whether to set `Last-Modified`; default `true`. */
  lastModified?: boolean | undefined;
  /** How long caches may keep it: milliseconds, or a string for `ms`, such as `'1d'`; default 0. */
  maxAge?: string | number | undefined;
}

/** Options of `res.sendFile`. */
export interface SendFileOptions extends FileOptions {
  /** Files and folders with a name that begins with a dot: `'allow'` serves them, `'deny'` is 403, `'ignore'` (default) 404. */
  dotfiles?: 'allow' | 'deny' | 'ignore' | undefined;
  /** Last byte to send, counted from 0 and included. */
  end?: number | undefined;
  /** Extensions to try if the file does not exist; default none. */
  extensions?: string[] | string | boolean | undefined;
  /** Header fields to send with the file. */
  headers?: Record<string, unknown>;
  /** Files to send for a directory; default `index.html`. */
  index?: string[] | string | boolean | undefined;
  /** The directory for relative paths; paths that leave it are refused with 403. */
  root?: string | undefined;
  /** First byte to send, counted from 0. */
  start?: number | undefined;
}

/** Options of `res.download`. A `Content-Disposition` among the headers is replaced by that of the method. */
export interface DownloadOptions extends SendFileOptions {}

/** A value of a header field. A list is sent as several fields, or joined in one where node does so. */
export type HeaderValue = string | number | readonly string[];

/** Functions for `res.format` by media type or extension; `default` is called if none is acceptable. */
export interface FormatHandlers {
  [type: string]: (req: Request, res: Response, next: NextFunction) => unknown;
}

/** {@link FormatHandlers} of any shape: an interface, which has no index signature, or with `undefined` for a function. */
export type FormatsOf<T, Handler = FormatHandlers[string]> = { readonly [Type in keyof T]: Handler | undefined };

/** The type of `res.send`, `res.json` and `res.jsonp`: takes a body and returns the response. */
export type Send<ResBody = Untyped, T = Response<ResBody>> = (body?: ResBody) => T;

// A Send of a response. The second form takes no more than the first. It is there because a generic function of another package infers from the
// last form, and from `body?` it would infer `undefined` while ResBody is not known.
export interface Sender<ResBody, T> {
  /** Answers with a body, or with an empty one. @param body of any type that the response has */
  (body?: ResBody): T;
  /** Answers with a body. @param body of any type that the response has */
  (body: ResBody): T;
}

/**
 * A response: node's `http.ServerResponse` with what Express 5 adds.
 *
 * @typeParam ResBody what {@link send}, {@link json} and {@link jsonp} take
 * @typeParam LocalsObj {@link locals}, beside the global `Express.Locals`
 * @typeParam StatusCode what {@link status} and {@link sendStatus} take
 * @see https://expressjs.com/en/5x/api.html#res
 */
export interface Response<
  ResBody = Untyped,
  LocalsObj extends UntypedRecord = UntypedRecord,
  StatusCode extends number = number,
>
  extends OwnResponse<ResBody, LocalsObj, StatusCode>, AddedToResponse<keyof OwnResponse | 'app' | 'format' | 'req'> {
  /**
   * Calls the function for the type that the client prefers, after setting `Content-Type` and `Vary`.
   *
   * If none is acceptable, it calls `default`, or passes an error with status 406 to `next`. Without an `Accept` field it calls the first.
   *
   * @param handlers functions by media type or extension
   * @see https://expressjs.com/en/5x/api.html#res.format
   */
  format<T extends FormatsOf<T>>(handlers: T): this;

  /** The application that handles the request now; inside a mounted application, that one. */
  app: Application;

  /** The request that this answers. */
  req: Request;
}

/** The members of a {@link Response} that are the same in Express 4. */
export interface OwnResponse<
  ResBody = Untyped,
  LocalsObj extends UntypedRecord = UntypedRecord,
  StatusCode extends number = number,
>
  extends http.ServerResponse, OpenResponse {
  /**
   * Sets the status.
   *
   * @param code an integer from 100 to 999
   * @throws TypeError for a value that is not an integer; not in Express 4
   * @throws RangeError for another integer; not in Express 4
   * @see https://expressjs.com/en/5x/api.html#res.status
   */
  status(code: StatusCode): this;

  /**
   * Answers with a status and its name as plain text: `Not Found`.
   *
   * @param code an integer from 100 to 999; the text of a status without a name is its number
   * @throws as {@link status}
   * @see https://expressjs.com/en/5x/api.html#res.sendStatus
   */
  sendStatus(code: StatusCode): this;

  /**
   * Adds to the `Link` field (RFC 8288).
   *
   * @param links the target, or several, by relation: `{ next: '/?page=2' }`
   * @see https://expressjs.com/en/5x/api.html#res.links
   */
  links(links: object): this;

  /**
   * Answers with a body.
   *
   * A string is HTML unless `Content-Type` is set, a Buffer or typed array is `application/octet-stream`; an object, a number
   * and a boolean are sent by {@link json}. Sets `Content-Length` and `ETag`, and answers 304 to a request that is
   * {@link Request.fresh}.
   *
   * @throws Error with the code `ERR_HTTP_HEADERS_SENT` if a response was sent already
   * @see https://expressjs.com/en/5x/api.html#res.send
   */
  send: Sender<ResBody, this>;

  /**
   * Answers with a value as JSON, by the settings `json escape`, `json replacer` and `json spaces`.
   *
   * @throws TypeError for a value that JSON does not have: a cycle, a BigInt
   * @throws Error with the code `ERR_HTTP_HEADERS_SENT` if a response was sent already
   * @see https://expressjs.com/en/5x/api.html#res.json
   */
  json: Sender<ResBody, this>;

  /**
   * As {@link json}, in a call of the function that the query names, if it names one. The setting `jsonp callback name` is the name of that
   * parameter; default `callback`.
   *
   * @throws as {@link json}
   * @see https://expressjs.com/en/5x/api.html#res.jsonp
   */
  jsonp: Sender<ResBody, this>;

  /**
   * Answers with a file, conditional and ranged requests included.
   *
   * @param path absolute, unless `options.root` is given. Use a `root` for a path that a client sent
   * @param fn called at the end of the transfer; without it, errors go to `next`
   * @throws TypeError without a path, for one that is not a string, and for a relative one without a `root`
   * @see https://expressjs.com/en/5x/api.html#res.sendFile
   */
  sendFile(path: string, fn?: Errback): void;
  /**
   * The same with options.
   *
   * @param options the folder that `path` may not leave (`root`), fields, caching
   */
  sendFile(path: string, options: SendFileOptions, fn?: Errback): void;

  /**
   * Answers with a file that the browser saves.
   *
   * @param path relative paths are relative to `options.root`, or to the working directory
   * @param fn called at the end of the transfer; without it, errors go to `next`
   * @throws TypeError without a path, and for one that is not a string
   * @see https://expressjs.com/en/5x/api.html#res.download
   */
  download(path: string, fn?: Errback): void;
  /**
   * The same with a name, or with options in its place.
   *
   * @param filename the name under which it is saved; default the file's own
   */
  download(path: string, filename: string | DownloadOptions, fn?: Errback): void;
  /**
   * The same with a name and options.
   *
   * @param options as those of {@link sendFile}
   */
  download(path: string, filename: string, options: DownloadOptions, fn?: Errback): void;

  /**
   * Sets `Content-Type`.
   *
   * @param type a media type, or an extension: `html`, `.html`; an unknown one sets `application/octet-stream`
   * @see https://expressjs.com/en/5x/api.html#res.type
   */
  type(type: string): this;

  /**
   * The same as {@link type}.
   *
   * @param type a media type or an extension
   * @see https://expressjs.com/en/5x/api.html#res.type
   */
  contentType(type: string): this;

  /**
   * Sets `Content-Disposition: attachment`, and with a name `Content-Type` by its extension.
   *
   * @param filename the name that the browser suggests; a path is cut to its last part
   * @see https://expressjs.com/en/5x/api.html#res.attachment
   */
  attachment(filename?: string): this;

  /**
   * Sets each field of an object. A `Content-Type` without a charset gets the default charset of its type.
   *
   * @param fields values by name
   * @throws TypeError for a list as `Content-Type`, and for a name or value that HTTP does not allow
   * @see https://expressjs.com/en/5x/api.html#res.set
   */
  set(fields: Untyped): this;
  /**
   * Sets one header field.
   *
   * @param field its name, in any case
   * @param value a list is sent as several fields, or as one where node joins them
   */
  set(field: string, value?: HeaderValue): this;

  /**
   * The same as {@link set}.
   *
   * @param fields values by name
   * @see https://expressjs.com/en/5x/api.html#res.set
   */
  header(fields: Untyped): this;
  /**
   * The same as {@link set} with a name.
   *
   * @param field its name, in any case
   * @param value a list is sent as several fields, or as one where node joins them
   */
  header(field: string, value?: HeaderValue): this;

  /**
   * A header field of the response.
   *
   * @param field in any case
   * @returns its value as it was set; `undefined` if it was not
   * @see https://expressjs.com/en/5x/api.html#res.get
   */
  get(field: string): string | undefined;

  /**
   * Adds a value to a header field, or sets it.
   *
   * @param field its name, in any case
   * @param value one more value, or several
   * @throws TypeError for a name or value that HTTP does not allow
   * @see https://expressjs.com/en/5x/api.html#res.append
   */
  append(field: string, value?: string[] | string): this;

  /**
   * Sets a cookie. Without options it has the path `/` and ends with the browser's session.
   *
   * @param name of the cookie
   * @param options attributes, each with its default
   * @param val a string; an object is sent as `j:` and its JSON
   * @throws Error for a signed cookie if the cookie parser has no secret
   * @throws TypeError for an invalid name, path or domain
   * @see https://expressjs.com/en/5x/api.html#res.cookie
   */
  cookie(name: string, val: string, options: CookieOptions): this;
  cookie(name: string, val: Untyped, options: CookieOptions): this;
  cookie(name: string, val: Untyped): this;

  /**
   * Makes the browser forget a cookie.
   *
   * @param name of the cookie
   * @param options as for setting it: path and domain must be the same; `maxAge` and `expires` are ignored
   * @see https://expressjs.com/en/5x/api.html#res.clearCookie
   */
  clearCookie(name: string, options?: CookieOptions): this;

  /**
   * Sets `Location`. Characters that a URL may not have are percent-encoded; the target is not checked.
   *
   * @param url absolute or relative
   * @see https://expressjs.com/en/5x/api.html#res.location
   */
  location(url: string): this;

  /**
   * Answers with a redirect, 302, and a short body.
   *
   * @param url absolute or relative; as for {@link location}
   * @see https://expressjs.com/en/5x/api.html#res.redirect
   */
  redirect(url: string): void;
  /**
   * The same with a status.
   *
   * @param status such as 301, 303, 307 or 308
   */
  redirect(status: number, url: string): void;

  /**
   * Renders a view with `app.locals`, {@link locals} and the given options, and answers with it as HTML.
   *
   * @param view its name, below the folders of the setting `views`; without an extension, that of `view engine` is taken
   * @param callback gets the markup or the error, and nothing is sent; without it, errors go to `next`
   * @see https://expressjs.com/en/5x/api.html#res.render
   */
  render(view: string, callback?: RenderCallback): void;
  /**
   * The same with values for this view alone.
   *
   * @param options values for the view
   */
  render(view: string, options?: object, callback?: RenderCallback): void;

  /**
   * Adds names to the `Vary` field that it does not have yet.
   *
   * @param field the name of a request field, or several
   * @throws TypeError for a name that HTTP does not allow
   * @see https://expressjs.com/en/5x/api.html#res.vary
   */
  vary(field: string | string[]): this;

  /**
   * Values for the views of this response; an object without a prototype.
   *
   * @see https://expressjs.com/en/5x/api.html#res.locals
   */
  locals: LocalsObj & Locals;

  /**
   * Whether the head was sent, so that status and fields can no longer be set.
   *
   * @see https://expressjs.com/en/5x/api.html#res.headersSent
   */
  headersSent: boolean;

  /**
   * The charset.
   *
   * @deprecated Declared by `@types/express`, but never read. Set it with {@link type}.
   */
  charset: string;
}
