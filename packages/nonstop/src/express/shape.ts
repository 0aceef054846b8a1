import type { EventEmitter } from 'node:events';
import type http = require('node:http');
import type { Dialect, kExpress } from './dialect.js';
import type { Next } from '../routing/shapes.js';
import type { Route } from '../routing/route.js';
import type { Router } from '../routing/router.js';
import type { Request } from './request/shape.js';
import type { View } from './view.js';

/** Every setting, by name; those of a mounted application inherit from its parent's. */
export type Settings = Record<string | symbol, unknown>;

/** What renders a file: `ejs.renderFile` and its kin. */
export type Engine = (path: string, options: object, done: RenderDone) => void;

export type RenderDone = (err: unknown, markup?: string) => void;

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
