import type http = require('node:http');
import type { Application } from './application.js';
import type { AddedToRequest } from './foreign.js';
import type { OpenRequest } from './global.js';
import type { NextFunction } from './handlers.js';
import type { ParamsDictionary } from './params-from-path.js';
import type { Response } from './response.js';
import type { Untyped, UntypedRecord } from './untyped.js';

/** A parsed query string: strings and lists; objects too under `app.set('query parser', 'extended')`. */
export interface Query {
  [key: string]: undefined | string | Query | (string | Query)[];
}

/** One media type of an `Accept` field. */
export interface MediaType {
  /** As it was written, without parameters. */
  value: string;
  /** Its weight, 0 to 1 (RFC 9110 §12.4.2). */
  quality: number;
  /** Before the slash. */
  type: string;
  /** After the slash. */
  subtype: string;
}

/** A part of a representation; both ends belong to it. */
export interface ByteRange {
  /** The first unit, counted from 0. */
  start: number;
  /** The last unit. */
  end: number;
}

/** The parts that a `Range` field asks for. */
export interface RequestRanges extends Array<ByteRange> {
  /** The unit, `bytes` in practice. */
  type: string;
}

/** How {@link Request.range} reads the field. */
export interface RangeOptions {
  /** Joins parts that overlap or touch; default `false`. */
  combine?: boolean | undefined;
}

/**
 * A request: node's `http.IncomingMessage` with what Express 5 adds.
 *
 * Its stream, header and socket members are node's own. Packages add their members through the global
 * `Express.Request`.
 *
 * @typeParam P `req.params`; use `Request<{ id: string }>` for a handler that is written apart from its route
 * @typeParam ResBody what `res.send`, `res.json` and `res.jsonp` take, as seen through `req.res`
 * @typeParam ReqBody `req.body`
 * @typeParam ReqQuery `req.query`
 * @typeParam LocalsObj `res.locals`, as seen through `req.res`
 * @see https://expressjs.com/en/5x/api.html#req
 */
export interface Request<
  P = ParamsDictionary,
  ResBody = Untyped,
  ReqBody = Untyped,
  ReqQuery = Query,
  LocalsObj extends UntypedRecord = UntypedRecord,
>
  extends OwnRequest<P, ReqBody, ReqQuery>, AddedToRequest<keyof OwnRequest | 'app' | 'res'> {
  /** The application that handles the request now; inside a mounted application, that one. */
  app: Application;

  /** The response to this request; set when an application gets the request. */
  res?: Response<ResBody, LocalsObj> | undefined;
}

/** The members of a {@link Request} that are the same in Express 4. */
export interface OwnRequest<P = ParamsDictionary, ReqBody = Untyped, ReqQuery = Query>
  extends http.IncomingMessage, OpenRequest {
  /**
   * A header field.
   *
   * @param name in any case; `referer` and `referrer` mean the same
   * @returns its value; `undefined` if it was not sent
   * @throws TypeError without a name, or for one that is not a string
   * @see https://expressjs.com/en/5x/api.html#req.get
   */
  get(name: 'set-cookie'): string[] | undefined;
  get(name: string): string | undefined;

  /**
   * The same as {@link get}.
   *
   * @param name in any case
   * @see https://expressjs.com/en/5x/api.html#req.get
   */
  header(name: 'set-cookie'): string[] | undefined;
  header(name: string): string | undefined;

  /**
   * Without arguments: the media types that the client accepts, best first.
   *
   * @see https://expressjs.com/en/5x/api.html#req.accepts
   */
  accepts(): string[];
  /**
   * The best of the given types for the `Accept` field (RFC 9110 §12.5.1).
   *
   * @param type media types (`text/html`, `text/*`) or extensions (`html`)
   * @returns the best one as it was given; `false` if none is acceptable
   * @see https://expressjs.com/en/5x/api.html#req.accepts
   */
  accepts(type: string): string | false;
  accepts(type: string[]): string | false;
  accepts(...type: string[]): string | false;

  /**
   * Without arguments: the charsets that the client accepts, best first.
   *
   * @see https://expressjs.com/en/5x/api.html#req.acceptsCharsets
   */
  acceptsCharsets(): string[];
  /**
   * The best of the given charsets for the `Accept-Charset` field (RFC 9110 §12.5.2).
   *
   * @param charset such as `utf-8`
   * @returns the charset; `false` if none is acceptable
   * @see https://expressjs.com/en/5x/api.html#req.acceptsCharsets
   */
  acceptsCharsets(charset: string): string | false;
  acceptsCharsets(charset: string[]): string | false;
  acceptsCharsets(...charset: string[]): string | false;

  /**
   * Without arguments: the content codings that the client accepts, best first.
   *
   * @see https://expressjs.com/en/5x/api.html#req.acceptsEncodings
   */
  acceptsEncodings(): string[];
  /**
   * The best of the given content codings for the `Accept-Encoding` field (RFC 9110 §12.5.3).
   *
   * @param encoding such as `gzip`, `br` or `identity`
   * @returns the coding; `false` if none is acceptable
   * @see https://expressjs.com/en/5x/api.html#req.acceptsEncodings
   */
  acceptsEncodings(encoding: string): string | false;
  acceptsEncodings(encoding: string[]): string | false;
  acceptsEncodings(...encoding: string[]): string | false;

  /**
   * Without arguments: the languages that the client accepts, best first.
   *
   * @see https://expressjs.com/en/5x/api.html#req.acceptsLanguages
   */
  acceptsLanguages(): string[];
  /**
   * The best of the given languages for the `Accept-Language` field (RFC 9110 §12.5.4).
   *
   * @param lang such as `en` or `en-GB`
   * @returns the language; `false` if none is acceptable
   * @see https://expressjs.com/en/5x/api.html#req.acceptsLanguages
   */
  acceptsLanguages(lang: string): string | false;
  acceptsLanguages(lang: string[]): string | false;
  acceptsLanguages(...lang: string[]): string | false;

  /**
   * The `Range` field, for a representation of a given size (RFC 9110 §14.2).
   *
   * @param size length of the whole, in units of the range (bytes in practice); ends beyond it are cut to it
   * @param options whether parts that overlap are joined
   * @returns the parts; `undefined` without the field, -1 if no part lies within the size, -2 if the field is malformed
   * @see https://expressjs.com/en/5x/api.html#req.range
   */
  range(size: number, options?: RangeOptions): RequestRanges | -1 | -2 | undefined;

  /**
   * Whether the body is of one of the given types, by its `Content-Type`.
   *
   * @param types media types (`application/json`, `text/*`) or extensions (`json`)
   * @param more of the same
   * @returns the type that matched; `false` if none did, `null` if the request has no body
   * @see https://expressjs.com/en/5x/api.html#req.is
   */
  is(types: string | string[], ...more: string[]): string | false | null;

  /**
   * `'http'` or `'https'`: that of the connection, or the first `X-Forwarded-Proto` of a trusted proxy.
   *
   * @see https://expressjs.com/en/5x/api.html#req.protocol
   */
  readonly protocol: string;

  /**
   * Whether {@link protocol} is `'https'`.
   *
   * @see https://expressjs.com/en/5x/api.html#req.secure
   */
  readonly secure: boolean;

  /**
   * The address of the client: the socket's, or with `trust proxy` the last untrusted one of `X-Forwarded-For`;
   * `undefined` once the socket is gone.
   *
   * @see https://expressjs.com/en/5x/api.html#req.ip
   */
  readonly ip: string | undefined;

  /**
   * With `trust proxy`, the addresses of the client and then of the proxies; otherwise empty.
   *
   * @see https://expressjs.com/en/5x/api.html#req.ips
   */
  readonly ips: string[];

  /**
   * The labels before the domain, the nearest to it first: `['ferrets', 'tobi']` for `tobi.ferrets.example.com`. The setting
   * `subdomain offset` is the number of labels of the domain, default 2.
   *
   * @see https://expressjs.com/en/5x/api.html#req.subdomains
   */
  readonly subdomains: string[];

  /**
   * The path of {@link url}, without the query. In a mounted router, without the mount path.
   *
   * @see https://expressjs.com/en/5x/api.html#req.path
   */
  readonly path: string;

  /**
   * The name in the `Host` field, or in the first `X-Forwarded-Host` of a trusted proxy, without the port.
   * `undefined` for a request of HTTP/1.0 without `Host`, although the type, which is that of `@types/express`, says string.
   *
   * @see https://expressjs.com/en/5x/api.html#req.hostname
   */
  readonly hostname: string;

  /**
   * {@link hostname} with the port, if there is one.
   *
   * @see https://expressjs.com/en/5x/api.html#req.host
   */
  readonly host: string;

  /**
   * Whether the client's copy is fresh, by the `ETag` and `Last-Modified` that are set on the response so far (RFC 9110 §13). `false` for
   * methods other than GET, HEAD and QUERY, and for statuses other than 2xx and 304.
   *
   * @see https://expressjs.com/en/5x/api.html#req.fresh
   */
  readonly fresh: boolean;

  /**
   * The opposite of {@link fresh}.
   *
   * @see https://expressjs.com/en/5x/api.html#req.stale
   */
  readonly stale: boolean;

  /**
   * Whether `X-Requested-With` is `XMLHttpRequest`, in any case.
   *
   * @see https://expressjs.com/en/5x/api.html#req.xhr
   */
  readonly xhr: boolean;

  /**
   * The body as a parser has parsed it; `undefined` until one has run.
   *
   * @see https://expressjs.com/en/5x/api.html#req.body
   */
  body: ReqBody;

  /**
   * The cookies by name; `undefined` until a cookie parser has run.
   *
   * @see https://expressjs.com/en/5x/api.html#req.cookies
   */
  cookies: Untyped;

  /**
   * The cookies with a valid signature, by name; `undefined` until a cookie parser with a secret has run.
   *
   * @see https://expressjs.com/en/5x/api.html#req.signedCookies
   */
  signedCookies: Untyped;

  /**
   * The method, in capitals: `'GET'`. Middleware may rewrite it before a route is chosen.
   *
   * @see https://expressjs.com/en/5x/api.html#req.method
   */
  method: string;

  /**
   * The parameters of the path that matched, decoded.
   *
   * @see https://expressjs.com/en/5x/api.html#req.params
   */
  params: P;

  /**
   * The query string, parsed at each read by the setting `query parser`; empty if that is `false`. It is a getter without a setter, so an
   * assignment throws a TypeError in strict code.
   *
   * @see https://expressjs.com/en/5x/api.html#req.query
   */
  readonly query: ReqQuery;

  /**
   * The route that matched; `undefined` in handlers outside a route.
   *
   * @see https://expressjs.com/en/5x/api.html#req.route
   */
  route: Untyped;

  /**
   * {@link url} as it was received, before routers and middleware changed it.
   *
   * @see https://expressjs.com/en/5x/api.html#req.originalUrl
   */
  originalUrl: string;

  /** The path and query that are left to match: without the mount path in a mounted router. */
  url: string;

  /**
   * The mount path that was removed from {@link url}; empty if there is none.
   *
   * @see https://expressjs.com/en/5x/api.html#req.baseUrl
   */
  baseUrl: string;

  /** The `next` of the router that handles the request now. */
  next?: NextFunction | undefined;

  /**
   * The accepted media types.
   *
   * @deprecated Declared by `@types/express`, but never set: `undefined`. Call {@link accepts} instead.
   */
  accepted: MediaType[];
}
