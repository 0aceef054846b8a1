import type { EventEmitter } from 'node:events';
import type http = require('node:http');
import type http2 = require('node:http2');
import type { ListenOptions } from 'node:net';
import type { AddedToApplication, AddedToExpress, AddedToRouter, NotAddedToApplication } from './foreign.js';
import type { Locals, OpenApplication } from './global.js';
import type { MountListener, NextFunction, RenderCallback, ViewEngine } from './handlers.js';
import type { Major, Named } from './majors.js';
import type { Path, PathParams } from './params-from-path.js';
import type { Route } from './route.js';
import type {
  IRouter,
  IRouterHandler,
  IRouterMatcher,
  NonstopRouter,
  OwnIRouter,
  OwnMoreVerbs,
  OwnRouterMatcher,
  OwnUse,
} from './router.js';
import type { Untyped, UntypedRecord } from './untyped.js';

/** Options of `app.listen()` for HTTP/2: those of `server.listen()`, those of `http2.createSecureServer()`, and `http2`. */
export interface Http2Listening extends ListenOptions, http2.SecureServerOptions {
  /** Creates an HTTP/2 server. */
  readonly http2: true;
}

/**
 * The server that `listen({ http2: true })` returns. `http.Server` is included only so that an application stays assignable to the type
 * in `@types/express`, whose `listen` accepts anything and returns an `http.Server`.
 */
export type Http2Listener = http2.Http2SecureServer | http2.Http2Server | http.Server;

/** Called when a server listens, or with the error that prevented it. */
export type ListenCallback = (error?: Error) => void;

/** The type of `app.get` with only a name. */
export interface SettingReader {
  /**
   * Reads a setting; with handlers as further arguments the text is a path, and a route for GET is added.
   *
   * @param name of a setting; any name may be used
   * @returns its value, or else that of the application in which this one is mounted; `undefined` if none has a value
   * @see https://expressjs.com/en/5x/api.html#app.get
   */
  (name: SettingName): Untyped;
}

/** The type of `app.use`. */
export type ApplicationRequestHandler<T> = IRouterHandler<T> & IRouterMatcher<T>;

/** Settings that the framework itself reads. Any other name may be set and read as well. */
export type SettingName =
  /** Whether `/Users` and `/users` differ; read when the first route is added. Default: no. */
  | 'case sensitive routing'
  /** Another name of `http engine`. */
  | 'engine'
  /** `NODE_ENV`, `'development'` without it; shows stack traces to clients unless it is `'production'`. */
  | 'env'
  /** `true`, `false`, `'strong'`, `'weak'` (the default), or a function `(body, encoding) => string`. */
  | 'etag'
  /** `'node'` leaves the connections to `node:http`, `'nonstop'` to the engine; another value is an error. */
  | 'http engine'
  /** The query parameter that names the function of `res.jsonp`: `'callback'`. */
  | 'jsonp callback name'
  /** Whether `res.json` escapes `<`, `>` and `&`. Default: no. */
  | 'json escape'
  /** The second argument of `JSON.stringify`. */
  | 'json replacer'
  /** The third argument of `JSON.stringify`. */
  | 'json spaces'
  /** `'simple'` (the default in Express 5), `'extended'` (in Express 4), `false`, or a function `(query) => object`. */
  | 'query parser'
  /** Whether `/users/` and `/users` differ; read when the first route is added. Default: no. */
  | 'strict routing'
  /** The number of labels at the end of a host name that are the domain: 2. */
  | 'subdomain offset'
  /** Which proxies are trusted: `false` (the default), `true`, a number of hops, addresses, or a function `(address, hop) => boolean`. */
  | 'trust proxy'
  /** The class that finds views. */
  | 'view'
  /** Whether views are cached; `true` in production. */
  | 'view cache'
  /** The extension for view names without one. */
  | 'view engine'
  /** The folder, or folders, of views: `views` in the working directory. */
  | 'views'
  /** Whether the field `X-Powered-By` is sent; `true`. */
  | 'x-powered-by'
  | (string & {});

/**
 * An Express-compatible application: settings, views and `listen`, and the methods of routers. An application of the package
 * `express` has this type too, so a function that accepts an `Application` accepts both.
 *
 * Packages add their members through the global `Express.Application`, or through the types of Express.
 *
 * @typeParam LocalsObj {@link locals}, beside the global `Express.Locals`
 * @see https://expressjs.com/en/5x/api.html#app
 */
export interface Application<LocalsObj extends UntypedRecord = UntypedRecord>
  extends
    OwnApplication<5, LocalsObj, ListenCallback>,
    AddedToApplication<keyof OwnApplication<5, UntypedRecord, ListenCallback> | 'router' | '_router'> {
  /** The application's router; created on first use. */
  router: IRouter & AddedToRouter<keyof IRouter>;

  /** @deprecated Declared by `@types/express`; `undefined` under Express 5, whose router is {@link router}. */
  _router: Untyped;
}

/**
 * An {@link Application} of either major.
 *
 * @typeParam Listening the callback of `listen`
 */
export interface OwnApplication<M extends Major, LocalsObj extends UntypedRecord, Listening>
  extends EventEmitter, OwnIRouter<M>, OpenApplication {
  /**
   * Handles a request: an application is a listener for `http.createServer`.
   *
   * @param req node's request, or one that inherits from it
   * @param res the response to it
   */
  (req: Named[M]['request'] | http.IncomingMessage, res: Named[M]['response'] | http.ServerResponse): Untyped;

  /** Resets the application. Called by `express()`. */
  init(): void;

  /** Sets the default settings. Called by {@link init}. */
  defaultConfiguration(): void;

  /**
   * Registers a function that renders views with an extension. Needed only if `require(ext).__express` is another function, or missing.
   *
   * @param ext with or without the dot
   * @param fn renders one view; called with its path, the options of `render` and a callback that takes an error or the markup
   * @throws Error if `fn` is not a function
   * @see https://expressjs.com/en/5x/api.html#app.engine
   */
  engine(ext: string, fn: ViewEngine): this;

  /**
   * Sets a setting.
   *
   * @param setting a setting of the framework, or any other name
   * @param val its value; `undefined` is a value too
   * @returns the application
   * @throws TypeError for an invalid value of `etag`, `query parser`, `trust proxy`, `http engine` or `engine`
   * @see https://expressjs.com/en/5x/api.html#app.set
   */
  set(setting: SettingName, val: Untyped): this;

  /**
   * With only a name: returns the value of the setting. With a path and handlers: a route for GET.
   *
   * @returns the value, or `undefined`; with handlers, the application
   * @throws TypeError for a handler that is not a function, and for an invalid path
   * @see https://expressjs.com/en/5x/api.html#app.get
   */
  get: SettingReader & OwnRouterMatcher<M, this, 'get'>;

  /**
   * Runs a function for each value of a route parameter, before the handlers of the route. Within one request it runs once
   * for each value.
   *
   * @param name of the parameter, without the colon; of a list, the function runs for each
   * @param handler called with request, response, `next`, the value and the name
   * @returns the application
   * @throws TypeError without a name or a function
   * @see https://expressjs.com/en/5x/api.html#app.param
   */
  param(name: string | string[], handler: Named[M]['paramHandler']): this;

  /**
   * The mount paths from the outermost application down to this one.
   *
   * @returns the joined path; empty for an application that is not mounted
   * @see https://expressjs.com/en/5x/api.html#app.path
   */
  path(): string;

  /**
   * Whether a setting is truthy.
   *
   * @param setting its name
   * @see https://expressjs.com/en/5x/api.html#app.enabled
   */
  enabled(setting: SettingName): boolean;

  /**
   * Whether a setting is falsy.
   *
   * @param setting its name
   * @see https://expressjs.com/en/5x/api.html#app.disabled
   */
  disabled(setting: SettingName): boolean;

  /**
   * Sets a setting to `true`.
   *
   * @param setting its name
   * @returns the application
   * @see https://expressjs.com/en/5x/api.html#app.enable
   */
  enable(setting: SettingName): this;

  /**
   * Sets a setting to `false`.
   *
   * @param setting its name
   * @returns the application
   * @see https://expressjs.com/en/5x/api.html#app.disable
   */
  disable(setting: SettingName): this;

  /**
   * Renders a view with {@link locals} and the given options.
   *
   * @param name of the view, below the folders of the setting `views`; without an extension, the one in `view engine` is used
   * @param callback called with the markup, or with the error, for instance if the view does not exist
   * @see https://expressjs.com/en/5x/api.html#app.render
   */
  render(name: string, callback: RenderCallback): void;
  /**
   * The same with values for this view only.
   *
   * @param options values for the view; `cache: true` caches the view
   */
  render(name: string, options?: object, callback?: RenderCallback): void;

  /**
   * Creates a server for this application and listens; the arguments are those of `server.listen` of `node:net`.
   *
   * @param port 0, or none, lets the system choose
   * @param hostname default: all addresses, of IPv6 and IPv4
   * @param backlog maximum number of connections that wait to be accepted; default 511
   * @param callback called when the server listens. Express 5 also calls it with an error that prevents that;
   * otherwise that error is an `'error'` event of the server
   * @returns the server, a genuine `http.Server`, which may not be listening yet
   * @see https://expressjs.com/en/5x/api.html#app.listen
   */
  listen(port: number, hostname: string, backlog: number, callback?: Listening): http.Server;
  listen(port: number, hostname: string, callback?: Listening): http.Server;
  listen(port: number, callback?: Listening): http.Server;
  listen(callback?: Listening): http.Server;
  /**
   * Listens on a Unix socket, or on a named pipe on Windows.
   *
   * @param path of the socket or pipe
   */
  listen(path: string, callback?: Listening): http.Server;
  /**
   * With `http2: true` in the options: creates an HTTP/2 server for this application and listens. With a certificate it
   * uses TLS and speaks HTTP/1.1 on the same port; without one it speaks HTTP/2 in clear text.
   *
   * @param options those of `server.listen()` and of `http2.createSecureServer()`
   * @param callback called when the server listens
   * @returns the server, which may not be listening yet
   * @throws {TypeError} `ERR_NONSTOP_HTTP2` if `http2` is neither true nor false, or its key and certificate cannot serve
   * @see https://nodejs.org/api/http2.html#http2createsecureserveroptions-onrequesthandler
   */
  listen(options: Http2Listening, callback?: Listening): Http2Listener;
  /**
   * Listens on the socket of another server or of a file descriptor, or with the options of `server.listen`.
   *
   * @param handle a server, `{ fd }`, or options such as `{ port, host, signal }`
   * @param listeningListener called when the server listens
   */
  listen(handle: Untyped, listeningListener?: Listening): http.Server;

  /**
   * Mounts middleware, routers and applications, at every path or below the given one, which is removed from their `req.url`.
   * A mounted application emits `mount` and inherits the settings that it has not set.
   *
   * @throws TypeError without a handler, for one that is not a function, and for an invalid path
   * @see https://expressjs.com/en/5x/api.html#app.use
   */
  use: OwnUse<M, this>;

  /**
   * An application emits `mount` when it has been mounted.
   *
   * @param event `mount`
   * @param listener called with the application in which it is mounted
   * @see https://expressjs.com/en/5x/api.html#app.onmount
   */
  on(event: 'mount', listener: MountListener<Named[M]['application']>): this;
  /** Adds a listener for any other event, as `on` of an `EventEmitter`. @param event its name */
  on(event: string | symbol, listener: (...args: Untyped[]) => void): this;

  /** All settings by name; those of a parent are inherited. Use {@link set} to change one. */
  settings: Untyped;

  /**
   * Values for all views of the application; `settings` is among them.
   *
   * @see https://expressjs.com/en/5x/api.html#app.locals
   */
  locals: LocalsObj & Locals;

  /**
   * Where it was mounted last: `/` until then.
   *
   * @see https://expressjs.com/en/5x/api.html#app.mountpath
   */
  mountpath: string | string[];

  /** @deprecated Declared by `@types/express`; `undefined` since Express 4. */
  routes: Untyped;

  /** @deprecated Declared by `@types/express`; `undefined`. */
  resource: Untyped;

  /** @deprecated Declared by `@types/express`; `undefined`. */
  map: Untyped;
}

/**
 * An {@link Application} with its prototypes. An application of the package `express` is one too, so that a function which takes an
 * `Express` takes both; what `express()` of this package returns is a {@link NonstopExpress}.
 */
export interface Express
  extends Application, AddedToExpress<keyof Application | keyof OwnPrototypes<5>>, OwnPrototypes<5> {}

/**
 * What `express()` returns: an {@link Express} of this package, with what `@types/express` leaves out.
 */
export interface NonstopExpress
  extends
    Application,
    OwnMoreVerbs<5>,
    NotAddedToApplication<OwnExpress<5>>,
    AddedToExpress<keyof Application | keyof OwnExpress<5> | keyof OwnMoreVerbs<5>> {
  /**
   * The router of the application, created on first use.
   *
   * @see https://expressjs.com/en/5x/api.html#app.router
   */
  router: NonstopRouter;

  /**
   * Adds a route without handlers: `app.route('/a').get(…).post(…)`.
   *
   * @param prefix its path
   * @throws TypeError for an invalid path
   * @see https://expressjs.com/en/5x/api.html#app.route
   */
  route<T extends Path>(prefix: T): Route<T>;
  route(prefix: PathParams): Route;
}

/** The prototypes of an application. */
export interface OwnPrototypes<M extends Major> {
  /** The prototype of this application's requests: members added to it are on each of them. */
  request: Named[M]['request'];

  /** The prototype of this application's responses: members added to it are on each of them. */
  response: Named[M]['response'];
}

/** What the applications of either major have that `@types/express` leaves out. */
export interface OwnExpress<M extends Major> extends OwnPrototypes<M> {
  /** Views that were found, by name, while `view cache` is on. */
  cache: Record<string, unknown>;

  /** The functions of {@link Application.engine}, by extension with the dot. */
  engines: Record<string, ViewEngine>;

  /**
   * Handles a request, as a call of the application does. Request and response must be node's or inherit from them, such as those of a test
   * tool or of a serverless adapter.
   *
   * @param req node's request, or one that inherits from it
   * @param res the response to it
   * @param callback called if no handler has answered, with the error if there was one; without it 404 or an error page is sent
   */
  handle(
    req: Named[M]['request'] | http.IncomingMessage,
    res: Named[M]['response'] | http.ServerResponse,
    callback?: NextFunction,
  ): void;

  /** The application that this one is mounted in. */
  parent?: Named[M]['application'];
}
