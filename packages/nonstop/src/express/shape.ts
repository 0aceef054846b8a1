import type { EventEmitter } from 'node:events';
import type http = require('node:http');
import type http2 = require('node:http2');
import type { Next } from '../routing/shapes.js';
import type { Http2Listener } from '../types/application.js';
import type { OwnResponse } from '../types/response.js';
import type { OwnRequest } from '../types/request.js';
import type { Engine, RenderDone, View } from './view.js';

/** Every setting, by name; those of a mounted application inherit from its parent's. */
export type Settings = Record<string | symbol, unknown>;

/** A response as the application prepares it. */
export interface Response extends OwnResponse {
  app: Application;
  req: http.IncomingMessage & Request;
  format(handlers: object): this;
}

/** An application as its own methods see it: the callable, with everything that they set and ask. */
export interface Application extends EventEmitter {
  (
    req: http.IncomingMessage | http2.Http2ServerRequest,
    res: http.ServerResponse | http2.Http2ServerResponse,
    next?: Next,
  ): void;
  cache: Record<string, View | undefined>;
  engines: Record<string, Engine>;
  settings: Settings;
  locals: Record<string, unknown>;
  mountpath: unknown;
  parent?: Application;
  readonly [kExpress]: Dialect;
  /** Of Express 5 its router; of Express 4 a getter that throws. */
  readonly router: unknown;
  /** Express 4 only: the router, when it exists, and the method that makes it. */
  _router?: object | undefined;
  lazyrouter?(): void;
  /** The prototype of this application's requests. */
  request: Request;
  /** The prototype of this application's responses. */
  response: Response;
  init(): void;
  defaultConfiguration(): void;
  handle(req: http.IncomingMessage, res: http.ServerResponse, done?: Next): void;
  use(...pathAndHandles: unknown[]): this;
  route(path: unknown): object;
  engine(extension: string, render: Engine): this;
  param(name: unknown, handle?: unknown): this;
  set(setting: string, ...value: unknown[]): unknown;
  get(setting: string): unknown;
  path(): string;
  enabled(setting: string): boolean;
  disabled(setting: string): boolean;
  enable(setting: string): unknown;
  disable(setting: string): unknown;
  all(path: unknown, ...handles: unknown[]): this;
  render(name: string, options?: object | RenderDone, done?: RenderDone): void;
  listen(...args: unknown[]): Http2Listener;
}

/** `req.acceptsEncodings(...)`, `req.is(...)`: names as arguments or as one list. */
export type Names = readonly (string | readonly string[])[];

/** A request as its own members see it. They use each other through public names, because these may be patched. */
export interface Request extends OwnRequest {
  app: Application;
  res: Response;
}

/**
 * What getters of requests can return beside what their public types say. Those are Express's own, to which programs are
 * written: they leave out a request without Host, a socket that is gone, and what `query parser` and a path can come to.
 */
interface Wider {
  host: OwnRequest['host'] | undefined;
  hostname: OwnRequest['hostname'] | undefined;
  ips: (OwnRequest['ips'][number] | undefined)[];
  path: OwnRequest['path'] | null | undefined;
  query: unknown;
}

/** Getters of requests, typed by the public types; `this` is the request. */
export type Getters<Names extends keyof OwnRequest> = {
  readonly [Name in Names]: Name extends keyof Wider ? Wider[Name] : OwnRequest[Name];
} & ThisType<Request>;

/** What differs between applications of Express 4 and 5: `express5.ts` and `v4/express4.ts`. */
export interface Dialect {
  /** The setting `query parser` of a new application. */
  readonly queryParser: 'simple' | 'extended';
  /** The parsers for `'extended'` and `false` in the setting `query parser`. */
  readonly queryParsers: { readonly extended: unknown; readonly none: unknown };
  /** The class in the setting `view` of a new application. */
  readonly View: typeof View;
  /** Whether the callback of `app.listen()` gets an error if the server cannot listen. */
  readonly listensForErrors: boolean;
  /** An object for the settings, the engines or the views of an application. */
  newStore(): object;
  /** Gives a new application its `router`. */
  defineRouter(app: Application): void;
  /** Returns the application's router; makes it if needed. */
  routerOf(app: Application): AppRouter;
  /** Makes the route of `app.get()` and similar methods. */
  newRoute(app: Application, path: unknown): object;
  /** The text that is written to the console for an unhandled error. */
  logged(error: unknown): unknown;
  /** Merges the options of a view: the later ones win. */
  mergeLocals(ofApplication: object, ofResponse: object | undefined, given: object): Record<string, unknown>;
  /** The options that `app.render()` was given. */
  renderOptions(given: unknown): object;
}

/** The members of a router that an application uses for its set-up. */
export interface AppRouter {
  use(...pathAndHandles: never[]): unknown;
  param(name: never, handle: never): unknown;
  route(path: never): unknown;
}

/** The property in which an application keeps its dialect. */
export const kExpress: unique symbol = Symbol('nonstop.express');

/** The dialect of an application, or of a copy of its members, as in `{ ...app }`: no copy has the property, and each has `init`. */
export const dialectOf = (app: Application): Dialect =>
  app[kExpress] ?? (app.init as (() => void) & { [kExpress]: Dialect })[kExpress];
