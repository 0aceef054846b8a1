import type { EventEmitter } from 'node:events';
import type http = require('node:http');
import type { Next } from '../routing/shapes.js';
import type { Route } from '../routing/route.js';
import type { Router } from '../routing/router.js';
import type { Engine, RenderDone, View } from './view.js';

/** Every setting, by name; those of a mounted application inherit from its parent's. */
export type Settings = Record<string | symbol, unknown>;

/** A response as the application prepares it. */
export interface Response extends http.ServerResponse {
  app: Application;
  locals: object;
}

/** An application as its own methods see it: the callable, with everything that they set and ask. */
export interface Application extends EventEmitter {
  (req: http.IncomingMessage, res: http.ServerResponse, next?: Next): void;
  cache: Record<string, View | undefined>;
  engines: Record<string, Engine>;
  settings: Settings;
  locals: Record<string, unknown>;
  mountpath: unknown;
  parent?: Application;
  readonly [kExpress]: Dialect;
  readonly router: Router;
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
  route(path: unknown): Route;
  engine(extension: string, render: Engine): this;
  param(name: string | readonly string[], handle: unknown): this;
  set(setting: string, ...value: unknown[]): unknown;
  get(setting: string): unknown;
  path(): string;
  enabled(setting: string): boolean;
  disabled(setting: string): boolean;
  enable(setting: string): unknown;
  disable(setting: string): unknown;
  all(path: unknown, ...handles: unknown[]): this;
  render(name: string, options?: object | RenderDone, done?: RenderDone): void;
  listen(...args: unknown[]): http.Server;
}

/** `req.acceptsEncodings(...)`, `req.is(...)`: names as arguments or as one list. */
export type Names = readonly (string | readonly string[])[];

/** The members of the response that a request uses. */
export interface AnsweringResponse {
  readonly statusCode: number;
  get(field: string): unknown;
}

/** A request as its own members see it. They use each other through public names, because these may be patched. */
export interface Request extends http.IncomingMessage {
  app: Application;
  res: AnsweringResponse;
  originalUrl?: string;
  get(name: string): string | undefined;
  readonly protocol: string;
  readonly host: string | undefined;
  readonly hostname: string | undefined;
  readonly fresh: boolean;
}

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
  /** The text that is written to the console for an unhandled error. */
  logged(error: unknown): unknown;
  /** Merges the options of a view: later options win. */
  mergeLocals(...locals: (object | undefined)[]): Record<string, unknown>;
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
