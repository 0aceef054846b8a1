import type { Express, NonstopExpress } from './application.js';
import type { Major, Named } from './majors.js';
import type {
  BodyOptions,
  JsonOptions,
  NodeMiddleware,
  ServeStaticOptions,
  TextOptions,
  UrlencodedOptions,
} from './middleware.js';
import type { Response } from './response.js';
import type { RouteConstructor } from './route.js';
import type { RouterConstructor } from './router.js';

/**
 * What `require('nonstop')` gives, and `import express from 'nonstop'`.
 *
 * @see https://expressjs.com/en/5x/api.html#express
 */
export interface Framework extends OwnFramework<5> {
  /**
   * Makes an application: a function that answers requests, with routes, middleware and settings of its own.
   *
   * @typeParam T for a cast, `express() as Chatting`: a type with members that a package adds
   * @returns the application; give it to `http.createServer`, or call its `listen`
   * @see https://expressjs.com/en/5x/api.html#express
   */
  <T extends Express = NonstopExpress>(): T;
  /** The same. `ReturnType<typeof express>` is that of the last form: an {@link Express}, as in `@types/express`. */
  (): Express;

  /** Makes a route that belongs to no router yet; its `prototype` is what all routes inherit. */
  Route: RouteConstructor;

  /**
   * Makes a router, with or without `new`; its `prototype` is what all routers inherit.
   *
   * @see https://expressjs.com/en/5x/api.html#express.router
   */
  Router: RouterConstructor;

  /**
   * Makes middleware that serves the files of a folder.
   *
   * @param root absolute, or relative to the working directory
   * @param options caching, dotfiles, index files; each has a default
   * @throws TypeError without a root, for one that is not a string, and for a `setHeaders` that is not a function
   * @see https://expressjs.com/en/5x/api.html#express.static
   */
  static(root: string, options?: ServeStaticOptions): NodeMiddleware<Response>;
}

/** What a {@link Framework} of either major has. */
export interface OwnFramework<M extends Major> {
  /** The members of applications: a method added to it is on each application that is created later. */
  application: Named[M]['application'];

  /** The prototype of the requests of all applications: members added to it are on each of them. */
  request: Named[M]['request'];

  /** The prototype of the responses of all applications: members added to it are on each of them. */
  response: Named[M]['response'];

  /**
   * Makes middleware that parses a body of JSON into `req.body`.
   *
   * @param options limit, media types, reviver; each has a default
   * @throws TypeError for an invalid `limit` or `verify`
   * @see https://expressjs.com/en/5x/api.html#express.json
   */
  json(options?: JsonOptions): NodeMiddleware;

  /**
   * Makes middleware that gives a body as a Buffer in `req.body`; by default one of `application/octet-stream`.
   *
   * @param options limit and media types; each has a default
   * @throws TypeError for an invalid `limit` or `verify`
   * @see https://expressjs.com/en/5x/api.html#express.raw
   */
  raw(options?: BodyOptions): NodeMiddleware;

  /**
   * Makes middleware that gives a body as a string in `req.body`; by default one of `text/plain`.
   *
   * @param options limit, media types, charset; each has a default
   * @throws TypeError for an invalid `limit` or `verify`
   * @see https://expressjs.com/en/5x/api.html#express.text
   */
  text(options?: TextOptions): NodeMiddleware;

  /**
   * Makes middleware that parses the bodies of HTML forms into `req.body`.
   *
   * @param options limit, media types, nested keys; each has a default
   * @throws TypeError for an invalid `limit`, `verify`, `parameterLimit` or `depth`, and for an unknown charset
   * @see https://expressjs.com/en/5x/api.html#express.urlencoded
   */
  urlencoded(options?: UrlencodedOptions): NodeMiddleware;
}
