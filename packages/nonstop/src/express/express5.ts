import { Router } from '../routing/router.js';
import type { Dialect, Application } from './shape.js';
import { parseExtended } from './settings.js';
import { View } from './view.js';

/** Applications as Express 5 has them. */
export const express5: Dialect = {
  queryParser: 'simple',
  queryParsers: { extended: parseExtended, none: undefined },
  View,
  listensForErrors: true,

  newStore: () => Object.create(null) as object,

  /** Made when first asked for: until then `case sensitive routing` and `strict routing` may still be set. */
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

  routerOf: ({ router }) => router,
  logged: (error) => error,
  mergeLocals: (...locals) => Object.assign({}, ...locals) as Record<string, unknown>,
  renderOptions: (given) => (given as object | undefined) || {},
};
