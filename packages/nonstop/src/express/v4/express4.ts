import { qs } from '../../core/packages.js';
import type { Dialect } from '../shape.js';
import { ViewOf4 } from './view.js';

/** The number of list elements that Express 4 accepts from a query. */
const ARRAY_LIMIT = 1000;

/** The default query parser. */
export function parseExtended(query: string): unknown {
  return qs().parse(query, { allowPrototypes: true, arrayLimit: ARRAY_LIMIT });
}

/** The dialect of Express 4. */
export const express4: Dialect = {
  queryParser: 'extended',
  queryParsers: { extended: parseExtended, none: () => ({}) },
  View: ViewOf4,
  listensForErrors: false,
  newStore: () => ({}),

  /** Throws: `app.router` had another meaning in Express 3. */
  defineRouter(app) {
    Object.defineProperty(app, 'router', {
      get() {
        throw new Error(
          "'app.router' is deprecated!\nPlease see the 3.x to 4.x migration guide for details on how to update your app.",
        );
      },
    });
  },

  routerOf(app) {
    app.lazyrouter?.();
    return app._router as never;
  },

  // Not by `app.route()`, which a program may have replaced.
  newRoute: (app, path) => express4.routerOf(app).route(path as never) as object,

  logged: (error) => (error as Error).stack || (error as Error).toString(),

  mergeLocals(...locals) {
    const merged: Record<string, unknown> = {};
    // Inherited properties count.
    for (const each of locals) for (const name in each) merged[name] = (each as Record<string, unknown>)[name];
    return merged;
  },

  renderOptions: (given) => given as object,
};
