import type { EventEmitter } from 'node:events';
import type http = require('node:http');
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
  init(): void;
  defaultConfiguration(): void;
  engine(ext: string, fn: five.ViewEngine): this;
  set(setting: five.SettingName, val: Untyped): this;
  get: ((name: five.SettingName) => Untyped) & IRouterMatcher<this, 'get'>;
  param(name: string | string[], handler: RequestParamHandler): this;
  /** @deprecated Says how the functions for parameters are made from then on. */
  param(callback: ParamMaker): this;
  path(): string;
  enabled(setting: five.SettingName): boolean;
  disabled(setting: five.SettingName): boolean;
  enable(setting: five.SettingName): this;
  disable(setting: five.SettingName): this;
  render(name: string, callback: (err: Error, html: string) => void): void;
  render(name: string, options?: object, callback?: (err: Error, html: string) => void): void;
  listen(port: number, hostname: string, backlog: number, callback?: ListenCallback): http.Server;
  listen(port: number, hostname: string, callback?: ListenCallback): http.Server;
  listen(port: number, callback?: ListenCallback): http.Server;
  listen(callback?: ListenCallback): http.Server;
  listen(path: string, callback?: ListenCallback): http.Server;
  listen(handle: Untyped, listeningListener?: ListenCallback): http.Server;
  use: ApplicationRequestHandler<this>;
  on(event: 'mount', listener: (parent: Application) => void): this;
  on(event: string | symbol, listener: (...args: Untyped[]) => void): this;

  /** @deprecated Declared by the known types. It throws: Express 3 had something else under this name. The router is {@link _router}. */
  router: string;
  /** The router, once something has been added. */
  _router: Untyped;
  settings: Untyped;
  locals: LocalsObj & five.Locals;
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
  request: Request;
  response: Response;
  route<T extends string>(prefix: T): Route<T>;
  route(prefix: PathParams): Route;
  parent?: Application;
  cache: Record<string, unknown>;
  engines: Record<string, five.ViewEngine>;
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
  /** Makes an application. */
  (): Express;
  application: Application;
  request: Request;
  response: Response;
  Route: RouteConstructor;
  Router: RouterMaker;
  /** Parses a body of JSON into `req.body`; other requests get `{}`. */
  json: (options?: five.JsonOptions) => five.NodeMiddleware;
  /** Parses the query into `req.query`: applications begin with it. */
  query: (options?: object | ((query: string) => unknown)) => Handler;
  raw: (options?: five.BodyOptions) => five.NodeMiddleware;
  static: ((root: string, options?: five.ServeStaticOptions<Response>) => five.NodeMiddleware<Response>) & {
    mime: Mime;
  };
  text: (options?: five.TextOptions) => five.NodeMiddleware;
  /** Parses what HTML forms send; `extended` is true unless it is given, of which a warning is written. */
  urlencoded: (options?: five.UrlencodedOptions) => five.NodeMiddleware;
}
