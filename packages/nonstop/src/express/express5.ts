import { Router } from '../routing/router.js';
import type { Dialect, Application } from './shape.js';
import { parseExtended } from './settings.js';
import { ViewFunction } from './view.js';

/** The dialect of Express 5. */
export const express5: Dialect = {
  queryParser: 'simple',
  queryParsers: { extended: parseExtended, none: undefined },
  View: ViewFunction,
  listensForErrors: true,

  newStore: () => Object.create(null) as object,

  /** Made on first read, so that `case sensitive routing` and `strict routing` can be set before. */
  defineRouter(app) {
    let router: Router | undefined;
    Object.defineProperty(app, 'router', {
      configurable: true,
      enumerable: true,
      get(this: Application) {
        router ??= new Router({
          caseSensitive: this.enabled('case sensitive routing'),
          strict: this.enabled('strict routing'),
        });
        return router;
      },
    });
  },

  routerOf: ({ router }) => router as Router,
  newRoute: (app, path) => app.route(path),
  logged: (error) => error,
  // Not by `Object.assign()`: a member `__proto__` of a parsed body would become the prototype.
  mergeLocals: (ofApplication, ofResponse, given) => ({ ...ofApplication, ...ofResponse, ...given }),
  renderOptions: (given) => (given as object | undefined) || {},
};
