import type { OwnApplication, OwnExpress, OwnPrototypes } from '../application.js';
import type { AddedToApplication, AddedToExpress, NotAddedToApplication } from '../foreign.js';
import type { OwnFramework } from '../framework.js';
import type five = require('../index.js');
import type { OwnMoreVerbs, OwnRouterMatcher } from '../router.js';
import type { Untyped, UntypedRecord } from '../untyped.js';
import type { Handler, RequestParamHandler, Response } from './messages.js';
import type { IRouterHandler, IRouterMatcher, ParamMaker, RouteConstructor, RouterMaker } from './routing.js';

/** The type of `app.use`. */
export type ApplicationRequestHandler<T> = IRouterHandler<T> & IRouterMatcher<T>;

/**
 * An application of Express 4.
 *
 * @see https://expressjs.com/en/4x/api.html#app
 */
export interface Application<LocalsObj extends UntypedRecord = UntypedRecord>
  extends
    OwnApplication<4, LocalsObj, () => void>,
    AddedToApplication<keyof OwnApplication<4, UntypedRecord, () => void> | 'router' | '_router'> {
  /**
   * Runs a function for each value of a route parameter, before the handlers of the route.
   *
   * @param name of the parameter, without the colon
   * @param handler called with request, response, `next`, the value and the name
   * @throws Error for a callback that is not a function
   * @see https://expressjs.com/en/4x/api.html#app.param
   */
  param(name: string | string[], handler: RequestParamHandler): this;
  /**
   * Sets how later calls of `param` make the function for a parameter.
   *
   * @param callback makes the function from the arguments of `param`
   * @deprecated Give `param` a function for each parameter.
   */
  param(callback: ParamMaker): this;

  /** @deprecated Declared by `@types/express`. Reading it throws, because it had another meaning in Express 3. The router is {@link _router}. */
  router: string;

  /** The router, once something has been added. */
  _router: Untyped;
}

/** An application with its prototypes. One of the package `express` is one too; `express()` returns a {@link NonstopExpress}. */
export interface Express
  extends Application, AddedToExpress<keyof Application | keyof OwnPrototypes<4>>, OwnPrototypes<4> {}

/** What `express()` returns, with what `@types/express` leaves out. */
export interface NonstopExpress
  extends
    Application,
    OwnMoreVerbs<4>,
    NotAddedToApplication<OwnExpress<4>>,
    AddedToExpress<keyof Application | keyof OwnExpress<4> | keyof OwnMoreVerbs<4> | 'lazyrouter' | 'del'> {
  /** Makes the router if there is none. */
  lazyrouter(): void;

  /** @deprecated Use `delete`. */
  del: OwnRouterMatcher<4, this, 'delete'>;
}

/**
 * The table of media types of `express.static.mime`.
 *
 * @see https://github.com/broofa/mime/tree/v1.6.0
 */
export interface Mime {
  /**
   * The media type of a file.
   *
   * @param path a path, a name or an extension
   * @param fallback for an unknown extension; default {@link default_type}
   */
  lookup(path: string, fallback?: string): string;
  /**
   * The extension of a media type.
   *
   * @param type with or without parameters
   * @returns without the dot; `undefined` for an unknown type
   */
  extension(type: string): string | undefined;
  /**
   * Adds types.
   *
   * @param types lists of extensions by type
   */
  define(types: Record<string, string[]>): void;
  /** The type of unknown files: `application/octet-stream`. */
  default_type: string;
  /** `lookup` returns the charset of a type: `UTF-8` for texts, JavaScript and JSON, otherwise `fallback`. */
  readonly charsets: { lookup(type: string, fallback?: string): string };
}

/** What `require('nonstop/v4')` gives, and `import express from 'nonstop/v4'`. */
export interface Framework extends OwnFramework<4> {
  /**
   * Makes an application: a function that answers requests, with routes, middleware and settings of its own.
   *
   * @typeParam T for a cast, `express() as Chatting`: a type with members that a package adds
   * @returns the application; give it to `http.createServer`, or call its `listen`
   * @see https://expressjs.com/en/4x/api.html#express
   */
  <T extends Express = NonstopExpress>(): T;
  /** The same. `ReturnType<typeof express>` is that of the last form: an {@link Express}, as in `@types/express`. */
  (): Express;

  /** Makes a route that belongs to no router yet; its `prototype` is what all routes inherit. */
  Route: RouteConstructor;

  /**
   * Makes a router; it is what all routers inherit.
   *
   * @see https://expressjs.com/en/4x/api.html#express.router
   */
  Router: RouterMaker;

  /**
   * Makes middleware that parses the query into `req.query`. Each application starts with one.
   *
   * @param options those of `qs`, or a function that parses
   * @see https://github.com/expressjs/express/blob/4.x/lib/middleware/query.js
   */
  query(options?: object | ((query: string) => unknown)): Handler;

  /**
   * Makes middleware that serves the files of a folder; `mime` is its table of media types.
   *
   * @see https://expressjs.com/en/4x/api.html#express.static
   */
  static: ((root: string, options?: five.ServeStaticOptions<Response>) => five.NodeMiddleware<Response>) & {
    mime: Mime;
  };
}
