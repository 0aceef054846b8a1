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
  /** Of Express 4: the router once there is one, and what makes it. */
  _router?: object | undefined;
  lazyrouter?(): void;
  /** What this application's requests inherit. */
  request: Request;
  /** What this application's responses inherit. */
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

/** The response as the request asks it. */
export interface AnsweringResponse {
  readonly statusCode: number;
  get(field: string): unknown;
}

/** A request as its own members see it: what they ask themselves is asked publicly, for it may be patched. */
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

/** What an application does in one Express and not in the other: `express5.ts` and `v4/express4.ts`. */
export interface Dialect {
  /** The setting `query parser` of a new application. */
  readonly queryParser: 'simple' | 'extended';
  /** What `'extended'` and `false` stand for in the setting `query parser`. */
  readonly queryParsers: { readonly extended: unknown; readonly none: unknown };
  /** The class in the setting `view` of a new application. */
  readonly View: typeof View;
  /** Whether the callback of `app.listen()` is given the error that keeps a server from listening. */
  readonly listensForErrors: boolean;
  /** An object for the settings, the engines or the views of an application. */
  newStore(): object;
  /** Gives a new application its `router`. */
  defineRouter(app: Application): void;
  /** The router of an application, made when there is none yet. */
  routerOf(app: Application): AppRouter;
  /** What is written to the console of an error that nobody has handled. */
  logged(error: unknown): unknown;
  /** Options of a view: what is in the later ones wins. */
  mergeLocals(...locals: (object | undefined)[]): Record<string, unknown>;
  /** The options that `app.render()` was given. */
  renderOptions(given: unknown): object;
}

/** A router as an application uses it when it is set up. */
export interface AppRouter {
  use(...pathAndHandles: never[]): unknown;
  param(name: never, handle: never): unknown;
  route(path: never): unknown;
}

/** Where an application keeps its dialect. */
export const kExpress: unique symbol = Symbol('nonstop.express');
