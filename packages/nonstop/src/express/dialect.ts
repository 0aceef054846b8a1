import type { Application } from './shape.js';
import type { View } from './view.js';

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
