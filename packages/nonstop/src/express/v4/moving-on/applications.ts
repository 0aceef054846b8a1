import type http = require('node:http');
import { callerOf } from '../../../core/caller.js';
import { application } from '../application.js';
import type { Application } from '../../shape.js';
import { watchQuery } from './queries.js';
import { around, tell } from './tell.js';

/** Applications with all defaults set: later settings are the program's. */
const made = new WeakSet<Application>();
const choseParser = new WeakSet<Application>();

interface InitLayer {
  handle(req: http.IncomingMessage, res: http.ServerResponse, next: (error?: unknown) => void): void;
}

/** Watches the methods of applications, and their requests. */
export function watchApplications(): void {
  around(
    application,
    'init',
    (own) =>
      function init(this: Application) {
        own.call(this);
        guardRouter(this);
        made.add(this);
      },
  );
  around(
    application,
    'set',
    (own) =>
      function set(this: Application, ...given: unknown[]) {
        if (given[0] === 'query parser' && given.length > 1 && made.has(this)) choseParser.add(this);
        return own.apply(this, given) as unknown;
      },
  );
  around(
    application,
    'lazyrouter',
    (own) =>
      function lazyrouter(this: Application) {
        const isNew = !this._router;
        own.call(this);
        if (isNew) watchRequests(this);
      },
  );
}

function guardRouter(app: Application): void {
  let router: object | undefined;
  Object.defineProperty(app, '_router', {
    configurable: true,
    enumerable: true,
    get: function get() {
      const caller = callerOf(get);
      if (caller?.isDirect) tell(caller.place, 'app._router is app.router in Express 5');
      return router;
    },
    set(value: object | undefined) {
      router = value;
    },
  });
}

/** After the first two layers a request has its query. */
function watchRequests(app: Application): void {
  const { stack } = app._router as { readonly stack: readonly InitLayer[] };
  const layer = stack[1];
  const init = layer.handle;
  layer.handle = function expressInit(req, res, next) {
    init(req, res, (error) => {
      watchQuery(req, hasDefaultParser);
      next(error);
    });
  };
}

function hasDefaultParser(app: Application): boolean {
  for (let each: Application | undefined = app; each !== undefined; each = each.parent)
    if (choseParser.has(each)) return false;
  return true;
}
