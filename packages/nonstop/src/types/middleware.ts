import type fs = require('node:fs');
import type http = require('node:http');
import type { FileOptions, Response } from './response.js';
import type { Untyped } from './untyped.js';

/** Middleware that uses only node's request and response, so that plain `http` and `connect` servers can run it too. */
export type NodeMiddleware<Res extends http.ServerResponse = http.ServerResponse> = (
  req: http.IncomingMessage,
  res: Res,
  next: (err?: Untyped) => void,
) => void;

/**
 * The options of all body parsers.
 *
 * A parser reads the bodies of its media type and sets `req.body`; other requests pass unchanged (in Express 4 they get `{}`). Errors go to the
 * error handlers, with a `status`: 400 for a body that cannot be parsed, 413 for one over `limit`, 415 for an unknown encoding.
 */
export interface BodyOptions {
  /** Whether compressed bodies are inflated; otherwise they are refused with 415. Default `true`. */
  inflate?: boolean | undefined;
  /** Maximum length of a body after inflation: bytes, or a string such as `'1mb'`. Default `'100kb'`. */
  limit?: number | string | undefined;
  /** Which requests to parse: media types (`application/*`), extensions (`json`), or a function that returns whether to parse a request. */
  type?: string | string[] | ((req: http.IncomingMessage) => unknown) | undefined;
  /**
   * Checks the raw bytes, for instance a signature. An error that it throws is answered with 403, or with the error's own status.
   *
   * @param req the request
   * @param res its response
   * @param buf the body after inflation
   * @param encoding the charset; null for `express.raw`
   */
  verify?(req: http.IncomingMessage, res: http.ServerResponse, buf: Buffer, encoding: string): void;
}

/** Options of `express.json`. */
export interface JsonOptions extends BodyOptions {
  /**
   * The second argument of `JSON.parse`.
   *
   * @param key the name of a member
   * @param value its value
   * @returns the value to use
   */
  reviver?(key: string, value: Untyped): Untyped;
  /** Whether other values than objects and arrays are refused. Default `true`. */
  strict?: boolean | undefined;
  /** The charset of a body without one in its Content-Type. Default `utf-8`. */
  defaultCharset?: string | undefined;
}

/** Options of `express.text`. */
export interface TextOptions extends BodyOptions {
  /** The charset of a body without one in its Content-Type. Default `utf-8`. */
  defaultCharset?: string | undefined;
}

/** Options of `express.urlencoded`. Express 4 ignores the last three. */
export interface UrlencodedOptions extends BodyOptions {
  /** Whether `a[b]=1` makes objects and lists. Default `false`, in Express 4 `true`. */
  extended?: boolean | undefined;
  /** Maximum number of parameters; more are answered with 413. Default 1000. */
  parameterLimit?: number | undefined;
  /** With `extended`, the maximum depth of objects; deeper ones are answered with 400. Default 32. */
  depth?: number | undefined;
  /** The charset of a body without one in its Content-Type: `utf-8` (default) or `iso-8859-1`. */
  defaultCharset?: string | undefined;
  /** Whether a parameter `utf8=✓` selects the charset. Default `false`. */
  charsetSentinel?: boolean | undefined;
  /** Whether `&#9786;` in an `iso-8859-1` body is decoded. Default `false`. */
  interpretNumericEntities?: boolean | undefined;
}

/** Options of `express.static`. */
export interface ServeStaticOptions<Res extends http.ServerResponse = Response> extends FileOptions {
  /**
   * Files and folders with a name that begins with a dot: `'allow'` serves them, `'deny'` is 403, `'ignore'` (default) 404. By default Express 4
   * ignores such files only, and serves those in such folders.
   */
  dotfiles?: 'allow' | 'deny' | 'ignore' | (string & {}) | undefined;
  /** Extensions to try if the file does not exist; default none. */
  extensions?: string[] | false | undefined;
  /** Whether a request that cannot be served goes to the next handler; otherwise to the error handlers. Default `true`. */
  fallthrough?: boolean | undefined;
  /** Files to send for a directory; default `index.html`. */
  index?: boolean | string | string[] | undefined;
  /** Whether a directory is redirected to its path with a slash. Default `true`. */
  redirect?: boolean | undefined;
  /** Sets further fields before the file is sent. It must do so synchronously. */
  setHeaders?: ((res: Res, path: string, stat: fs.Stats) => unknown) | undefined;
}
