import type { EventEmitter } from 'node:events';
import type http = require('node:http');
import type { Http2Listener, Http2Listening } from '../application.js';
import type five = require('../index.js');
import type { OpenApplication } from '../global.js';
import type { Untyped, UntypedRecord } from '../untyped.js';
import type { Handler, Request, RequestParamHandler, Response } from './messages.js';
import type { PathParams } from './params.js';
import type {
  IRouter,
  IRouterHandler,
  IRouterMatcher,
  ParamMaker,
  Route,
  RouteConstructor,
  RouterMaker,
} from './routing.js';

/** The type of `app.get` with a name alone. */
export interface SettingReader {
  /**
   * Reads a setting; with handlers behind it the text is a path, and a route for GET is added.
   *
   * @param name of a setting; any name may be used
   * @returns its value, of the applications that this one is mounted in where it has none of its own; `undefined` where none has
   * @see https://expressjs.com/en/4x/api.html#app.get
   */
  (name: five.SettingName): Untyped;
}

/** The type of `app.use`. */
export type ApplicationRequestHandler<T> = IRouterHandler<T> & IRouterMatcher<T>;

/** Called when a server listens. */
export type ListenCallback = () => void;

/**
 * An application of Express 4.
 *
 * @see https://expressjs.com/en/4x/api.html#app
 */
export interface Application<LocalsObj extends UntypedRecord = UntypedRecord>
  extends EventEmitter, IRouter, OpenApplication {
  (req: Request | http.IncomingMessage, res: Response | http.ServerResponse): Untyped;

  /** Sets the application up anew. Called by `express()`. */
  init(): void;

  /** Gives the settings their defaults. Called by {@link init}. */
  defaultConfiguration(): void;

  /**
   * Has views of an extension rendered by a function; needed only where `require(ext).__express` is not that function.
   *
   * @param ext with or without the dot
   * @throws Error when `fn` is no function
   * @see https://expressjs.com/en/4x/api.html#app.engine
   */
  engine(ext: string, fn: five.ViewEngine): this;

  /**
   * Sets a setting.
   *
   * @throws TypeError for a value that `etag`, `query parser` or `trust proxy` cannot be
   * @see https://expressjs.com/en/4x/api.html#app.set
   */
  set(setting: five.SettingName, val: Untyped): this;

  /** With a name alone: the value of the setting. With a path and handlers: a route for GET. */
  get: SettingReader & IRouterMatcher<this, 'get'>;

  /**
   * Runs a function for each value of a route parameter, before the handlers of the route.
   *
   * @throws Error for a callback that is no function
   * @see https://expressjs.com/en/4x/api.html#app.param
   */
  param(name: string | string[], handler: RequestParamHandler): this;
  /** @deprecated Says how the functions for parameters are made from then on. */
  param(callback: ParamMaker): this;

  /** The mount paths from the outermost application down to this one; empty for one that is not mounted. */
  path(): string;

  /** Whether a setting is truthy. */
  enabled(setting: five.SettingName): boolean;

  /** Whether a setting is falsy. */
  disabled(setting: five.SettingName): boolean;

  /** Sets a setting to `true`. */
  enable(setting: five.SettingName): this;

  /** Sets a setting to `false`. */
  disable(setting: five.SettingName): this;

  /**
   * Renders a view with {@link locals} and the given options.
   *
   * @param callback takes the markup, or the error: among others, that there is no such view
   * @see https://expressjs.com/en/4x/api.html#app.render
   */
  render(name: string, callback: (err: Error, html: string) => void): void;
  render(name: string, options?: object, callback?: (err: Error, html: string) => void): void;
  /** The same for HTTP/2: with TLS, and HTTP/1.1 beside it, where there is a certificate, or else in clear text. */
  listen(options: Http2Listening, callback?: ListenCallback): Http2Listener;

  /**
   * Makes a server for this application and has it listen; the arguments are those of `server.listen` of `node:net`.
   *
   * @returns the server, a genuine `http.Server`, which may not be listening yet
   * @see https://expressjs.com/en/4x/api.html#app.listen
   */
  listen(port: number, hostname: string, backlog: number, callback?: ListenCallback): http.Server;
  listen(port: number, hostname: string, callback?: ListenCallback): http.Server;
  listen(port: number, callback?: ListenCallback): http.Server;
  listen(callback?: ListenCallback): http.Server;
  listen(path: string, callback?: ListenCallback): http.Server;
  listen(handle: Untyped, listeningListener?: ListenCallback): http.Server;

  /**
   * Mounts middleware, routers and applications: at every path, or below the given one. They see `req.url` without it.
   * A mounted application emits `mount` and inherits the settings it has not set.
   *
   * @throws TypeError without a handler, for one that is no function, and for a path that cannot be read
   * @see https://expressjs.com/en/4x/api.html#app.use
   */
  use: ApplicationRequestHandler<this>;

  /** Emitted by an application when it has been mounted. */
  on(event: 'mount', listener: (parent: Application) => void): this;
  on(event: string | symbol, listener: (...args: Untyped[]) => void): this;

  /** @deprecated Declared by the known types. It throws: Express 3 had something else under this name. The router is {@link _router}. */
  router: string;
  /** The router, once something has been added. */
  _router: Untyped;

  /** All settings by name; those of a parent are inherited. Use {@link set} to change one. */
  settings: Untyped;

  /**
   * Values for all views of the application; `settings` is among them.
   *
   * @see https://expressjs.com/en/4x/api.html#app.locals
   */
  locals: LocalsObj & five.Locals;

  /** Where it was mounted last: `/` until then. */
  mountpath: string | string[];
  /** @deprecated Declared by the known types; `undefined`. */
  routes: Untyped;
  /** @deprecated Declared by the known types; `undefined`. */
  resource: Untyped;
  /** @deprecated Declared by the known types; `undefined`. */
  map: Untyped;
}

/** What `express()` returns, with what the known types leave out. */
export interface Express extends Application {
  /** What the requests of this application inherit; what is added to it, they have. */
  request: Request;

  /** What the responses of this application inherit; what is added to it, they have. */
  response: Response;
  route<T extends string>(prefix: T): Route<T>;
  route(prefix: PathParams): Route;

  /** The application that this one is mounted in. */
  parent?: Application;

  /** Views that were found, by name, while `view cache` is on. */
  cache: Record<string, unknown>;

  /** The functions of {@link Application.engine}, by extension with the dot. */
  engines: Record<string, five.ViewEngine>;

  /**
   * Hands a request over; what calling the application does. Any request and response will do that are, or inherit
   * from, node's: those of a test tool or of a serverless adapter too.
   *
   * @param callback called when no handler has answered, with the error if there was one; without it a 404 or the error's
   * page is sent
   */
  handle(req: Request | http.IncomingMessage, res: Response | http.ServerResponse, callback?: five.NextFunction): void;
  /** Makes the router unless there is one. */
  lazyrouter(): void;
  /** @deprecated Use `delete`. */
  del: IRouterMatcher<this, 'delete'>;
}

/** The table of media types of `express.static.mime`. */
export interface Mime {
  lookup(path: string, fallback?: string): string;
  extension(type: string): string | undefined;
  define(types: Record<string, string[]>): void;
  default_type: string;
  readonly charsets: { lookup(type: string, fallback?: string): string };
}

/** What `require('nonstop/v4')` gives, and `import express from 'nonstop/v4'`. */
export interface Framework {
  /**
   * Makes an application: a function that answers requests, with routes, middleware and settings of its own.
   *
   * @returns the application; give it to `http.createServer`, or call its `listen`
   * @see https://expressjs.com/en/4x/api.html#express
   */
  (): Express;

  /** What all applications are made of; a method added to it, those made afterwards have. */
  application: Application;

  /** What all requests inherit; what is added to it, every application's requests have. */
  request: Request;

  /** What all responses inherit; what is added to it, every application's responses have. */
  response: Response;

  /** Makes a route that belongs to no router yet; its `prototype` is what all routes inherit. */
  Route: RouteConstructor;

  /**
   * Makes a router, with or without `new`; its `prototype` is what all routers inherit.
   *
   * @see https://expressjs.com/en/4x/api.html#express.router
   */
  Router: RouterMaker;
  /** Parses a body of JSON into `req.body`; other requests get `{}`. */
  json(options?: five.JsonOptions): five.NodeMiddleware;
  /** Parses the query into `req.query`: applications begin with it. */
  query(options?: object | ((query: string) => unknown)): Handler;

  /**
   * Makes middleware that gives a body as a Buffer in `req.body`; by default one of `application/octet-stream`.
   *
   * @throws TypeError for a `verify` that is no function
   * @see https://expressjs.com/en/4x/api.html#express.raw
   */
  raw(options?: five.BodyOptions): five.NodeMiddleware;

  /**
   * Makes middleware that serves the files of a folder.
   *
   * @param root absolute, or relative to the working directory
   * @throws TypeError without a root, for one that is no string, and for a `setHeaders` that is no function
   * @see https://expressjs.com/en/4x/api.html#express.static
   */
  static: ((root: string, options?: five.ServeStaticOptions<Response>) => five.NodeMiddleware<Response>) & {
    mime: Mime;
  };

  /**
   * Makes middleware that gives a body as a string in `req.body`; by default one of `text/plain`.
   *
   * @throws TypeError for a `verify` that is no function
   * @see https://expressjs.com/en/4x/api.html#express.text
   */
  text(options?: five.TextOptions): five.NodeMiddleware;
  /** Parses what HTML forms send; `extended` is true unless it is given, of which a warning is written. */
  urlencoded(options?: five.UrlencodedOptions): five.NodeMiddleware;
}
