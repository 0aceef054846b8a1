import type fs = require('node:fs');
import type http = require('node:http');
import type { FileOptions, Response } from './response.js';
import type { Untyped } from './untyped.js';

/** Middleware that needs nothing but node's request and response: a plain `http` or `connect` server can run it too. */
export type NodeMiddleware<Res extends http.ServerResponse = http.ServerResponse> = (
  req: http.IncomingMessage,
  res: Res,
  next: (err?: Untyped) => void,
) => void;

/**
 * What all body parsers take.
 *
 * A parser reads the bodies of its media type and sets `req.body`; other requests pass untouched. What goes wrong reaches
 * the error handlers as an error with a `status`: 400 for a body that cannot be parsed, 413 for one over `limit`, 415 for an
 * encoding that is not known.
 */
export interface BodyOptions {
  /** Whether compressed bodies are inflated; otherwise they are refused with 415. Default `true`. */
  inflate?: boolean | undefined;
  /** The longest body: bytes, or a string such as `'1mb'`. Counted after inflation. Default `'100kb'`. */
  limit?: number | string | undefined;
  /** Which requests: media types (`application/*`), extensions (`json`), or a function that says so. */
  type?: string | string[] | ((req: http.IncomingMessage) => unknown) | undefined;
  /** Sees the raw bytes, as for a signature; what it throws is answered with 403, or with the error's own status. */
  verify?(req: http.IncomingMessage, res: http.ServerResponse, buf: Buffer, encoding: string): void;
}

/** Options of `express.json`. */
export interface JsonOptions extends BodyOptions {
  /** The second argument of `JSON.parse`. */
  reviver?(key: string, value: Untyped): Untyped;
  /** Whether anything but an object or array is refused. Default `true`. */
  strict?: boolean | undefined;
  /** The charset of a body that names none. Default `utf-8`. */
  defaultCharset?: string | undefined;
}

/** Options of `express.text`. */
export interface TextOptions extends BodyOptions {
  /** The charset of a body that names none. Default `utf-8`. */
  defaultCharset?: string | undefined;
}

/** Options of `express.urlencoded`. */
export interface UrlencodedOptions extends BodyOptions {
  /** Whether `a[b]=1` makes objects and lists. Default `false`. */
  extended?: boolean | undefined;
  /** The largest number of parameters; more are answered with 413. Default 1000. */
  parameterLimit?: number | undefined;
  /** With `extended`, how deep objects may nest; deeper ones are answered with 400. Default 32. */
  depth?: number | undefined;
  /** The charset of a body that names none: `utf-8` (the default) or `iso-8859-1`. */
  defaultCharset?: string | undefined;
  /** Whether a parameter `utf8=✓` says the charset. Default `false`. */
  charsetSentinel?: boolean | undefined;
  /** Whether `&#9786;` in an `iso-8859-1` body is decoded. Default `false`. */
  interpretNumericEntities?: boolean | undefined;
}

/** Options of `express.static`. */
export interface ServeStaticOptions<Res extends http.ServerResponse = Response> extends FileOptions {
  /** What becomes of files and folders whose name begins with a dot; default `'ignore'`: as if they were not there. */
  dotfiles?: 'allow' | 'deny' | 'ignore' | (string & {}) | undefined;
  /** Extensions to try when the file is not there; default none. */
  extensions?: string[] | false | undefined;
  /** Whether to leave what cannot be served to the next handler; otherwise it is an error there. Default `true`. */
  fallthrough?: boolean | undefined;
  /** Files to send for a directory; default `index.html`. */
  index?: boolean | string | string[] | undefined;
  /** Whether a directory is redirected to its path with a slash. Default `true`. */
  redirect?: boolean | undefined;
  /** Sets further fields, at once, before the file is sent. */
  setHeaders?: ((res: Res, path: string, stat: fs.Stats) => unknown) | undefined;
}
